// Which SDK and runtime are installed here, and which are asked for.

import { readFile } from "node:fs/promises";

const json = async (path) => JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));

export async function sdkVersions() {
  const installed = await json("node_modules/@github/copilot-sdk/package.json");
  const pin = async (path) => (await json(path)).dependencies["@github/copilot-sdk"];
  return {
    sdk: installed.version,
    runtime: installed.copilotCliVersion,
    pinned: await pin("package.json"),
    pinnedByExample: await pin("../../examples/host-node/package.json"),
  };
}
