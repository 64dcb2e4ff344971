// The command `promptrules`, kept alive over a pipe: one request line in, one plan line out.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export function startPlanner({ bin = "promptrules", rules } = {}) {
  const withRules = rules === undefined ? [] : ["--rules", rules];
  const child = spawn(bin, ["launch", ...withRules, "--batch", "-"], { stdio: ["pipe", "pipe", "inherit"] });
  // Answers come in the order of the requests, so the oldest question is the one that is answered.
  const asked = [];

  createInterface({ input: child.stdout }).on("line", (line) => {
    const { resolve, reject } = asked.shift();
    const answer = JSON.parse(line);
    if (answer.error) reject(new Error(answer.error.message));
    else resolve(answer);
  });
  let failure;
  const fail = (error) => {
    failure = error;
    for (const { reject } of asked.splice(0)) reject(error);
  };
  child.on("error", fail);
  child.on("exit", (status) => fail(new Error(`${bin} launch ended with status ${status}`)));
  // A broken pipe is told by the two events above.
  child.stdin.on("error", () => {});

  return {
    /** The launch plan for a launch request. */
    plan(request) {
      if (failure) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        asked.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify(request)}\n`);
      });
    },
    stop() {
      child.stdin.end();
    },
  };
}

/** Applies the transform steps that `plan` has for `section` to the section's current text. */
export async function transform(plan, section, text, { bin = "promptrules" } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "promptrules-plan-"));
  try {
    const file = join(folder, "plan.json");
    await writeFile(file, JSON.stringify(plan));
    return await filter(bin, ["transform", "--plan", file, "--section", section], text);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function filter(bin, args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(bin, args, { stdio: ["pipe", "pipe", "inherit"] });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve(Buffer.concat(output).toString("utf8"));
      else reject(new Error(`${bin} ${args[0]} ended with status ${status}`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
