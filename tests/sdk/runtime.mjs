// One real runtime with a fake model behind it: launch a session, read the system prompt that a model would get.

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approveAll, CopilotClient } from "@github/copilot-sdk";
import { startFakeModel } from "./fake-model.mjs";

/** The runtime wants a model id with a custom provider; a plan without a model gets this one. */
const NO_MODEL = "model-of-the-server";

/** Stands in every prompt for the session's random id, which would make no two prompts equal. */
export const SESSION = "SESSION";

/** More sessions at once than this gain nothing on two cores. */
const AT_ONCE = 4;

export async function openRuntime() {
  const home = await mkdtemp(join(tmpdir(), "promptrules-sdk-"));
  const model = await startFakeModel();
  const client = new CopilotClient({
    baseDirectory: home,
    workingDirectory: home,
    useLoggedInUser: false,
    logLevel: "error",
    // Nothing of the machine's own configuration may reach the prompt.
    env: { PATH: process.env.PATH, HOME: home },
  });
  await client.start();
  const inTurn = gate(AT_ONCE);

  async function launch(sessionConfig, wire) {
    const sessionId = randomUUID();
    const { provider, requests } = model.expect(sessionId, wire);
    const session = await client.createSession({
      onPermissionRequest: approveAll,
      ...sessionConfig,
      model: sessionConfig.model ?? NO_MODEL,
      sessionId,
      streaming: true,
      provider,
    });
    try {
      await session.sendAndWait({ prompt: "hello" });
    } finally {
      await session.disconnect();
    }
    return arrived(requests, sessionId);
  }

  return {
    client,
    model,
    /**
     * Launches a session, sends one message and returns what arrived at the model: `prompt` (the system message,
     * byte for byte, but for the session's id), `tools` (the names that the model sees) and `requests`
     * (the raw bodies). `wire` chooses the protocol and what the model answers, see `expect` in fake-model.mjs.
     */
    launch: (sessionConfig = {}, wire = {}) => inTurn(() => launch(sessionConfig, wire)),
    async close() {
      await client.stop();
      await model.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function arrived(requests, sessionId) {
  const [{ instructions, messages = [], tools = [] }] = requests;
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  return {
    sessionId,
    prompt: (instructions ?? system.join("")).replaceAll(sessionId, SESSION),
    // Completions nest a tool's name under its type; Responses do not, and have a type for tool search itself.
    tools: tools.map((tool) => tool.name ?? tool[tool.type]?.name ?? tool.type),
    requests,
  };
}

/** Lets `limit` jobs run at a time. */
function gate(limit) {
  const waiting = [];
  let running = 0;
  return async (job) => {
    if (running === limit) await new Promise((go) => waiting.push(go));
    else running++;
    try {
      return await job();
    } finally {
      // The place is handed over, not given back, so that nobody slips in between.
      if (waiting.length > 0) waiting.shift()();
      else running--;
    }
  };
}
