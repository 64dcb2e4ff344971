// A small agent host: asks promptrules how a session is to be launched, launches it, sends one prompt.
//
//   node host.mjs [--rules PATH] [--model ID] PROMPT
//
// PROMPTRULES_BIN names the command if it is not on the PATH. With PROVIDER_URL the model is served by any
// OpenAI-compatible server (then --model is needed); without it the SDK uses the Copilot account of the machine.

import { parseArgs } from "node:util";
import { approveAll, CopilotClient } from "@github/copilot-sdk";
import { startPlanner, transform } from "./planner.mjs";
import { sessionConfigOf } from "./session-config.mjs";
import { clientTools } from "./tools.mjs";

const { values, positionals } = parseArgs({
  options: { rules: { type: "string" }, model: { type: "string" } },
  allowPositionals: true,
});
const bin = process.env.PROMPTRULES_BIN || "promptrules";
const provider = process.env.PROVIDER_URL && { type: "openai", baseUrl: process.env.PROVIDER_URL, apiKey: "none" };

// Started once: every launch of this host goes through the same pipe.
const planner = startPlanner({ bin, rules: values.rules });
const client = new CopilotClient();

try {
  const plan = await planner.plan({
    kind: "create",
    model: values.model,
    client_tools: Object.entries(clientTools).map(([name, { description, parameters }]) => ({
      name,
      description,
      input_schema: parameters,
    })),
    settings: { toolSearchEnabled: true },
    workspaceless: false,
  });
  for (const { field, entry, message } of plan.warnings ?? []) {
    console.error(`warning: ${[entry, field].filter(Boolean).join(".")}: ${message}`);
  }
  console.error(plan.summary);

  // Resolved once and kept: nothing is resolved again while the session runs.
  const session = await client.createSession({
    ...sessionConfigOf(plan, { clientTools, transform: (section, text) => transform(plan, section, text, { bin }) }),
    ...(provider && { provider }),
    onPermissionRequest: approveAll,
    streaming: true,
  });
  const answer = await session.sendAndWait({ prompt: positionals.join(" ") });
  console.log(answer?.data.content);
  await session.disconnect();
} finally {
  planner.stop();
  await client.stop();
}
