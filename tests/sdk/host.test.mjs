// The example host as it stands, against the real runtime: one prompt in, the model's answer out.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startFakeModel } from "./fake-model.mjs";

const bin = process.env.PROMPTRULES_BIN;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

test("examples/host-node", { skip: bin ? false : "PROMPTRULES_BIN does not name the command" }, async () => {
  const model = await startFakeModel();
  // A copy beside node_modules, where it finds the SDK that is installed for the tests.
  const folder = await mkdtemp(here(".host-node-"));
  try {
    await cp(here("../../examples/host-node"), folder, { recursive: true });
    const { provider, requests } = model.expect("host", { script: [{ content: "an answer" }] });
    const args = ["host.mjs", "--rules", here("../../rules"), "--model", "claude-opus-4.8", "a", "question"];
    const host = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, PROMPTRULES_BIN: bin, PROVIDER_URL: provider.baseUrl },
    });
    const [stdout, stderr, status] = await Promise.all([
      text(host.stdout),
      text(host.stderr),
      new Promise((closed) => host.on("close", closed)),
    ]);
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "an answer\n" }, stderr);
    assert.match(stderr, /^mode=/m);
    assert.match(JSON.stringify(requests[0].messages), /a question/);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await model.close();
  }
});
