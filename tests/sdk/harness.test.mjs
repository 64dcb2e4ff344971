// The harness itself, on plans written by hand: it accepts what the runtime does with them, and it can fail.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { sessionConfigOf } from "../../examples/host-node/session-config.mjs";
import { clientTools } from "../../examples/host-node/tools.mjs";
import { assertPlan, launchPlan } from "./plan-check.mjs";
import { openRuntime } from "./runtime.mjs";

const plans = JSON.parse(await readFile(new URL("fixtures/plans.json", import.meta.url), "utf8"));
const named = (name) => plans.find((plan) => plan.name === name);

let runtime;
before(async () => (runtime = await openRuntime()));
after(() => runtime.close());

/** Enough of the transform steps for the plans by hand. The steps proper belong to the command. */
const transformOf = (plan) => async (section, text) =>
  plan.sessionConfig.systemMessage.sections[section].steps.reduce(
    (text, { append = "", prepend = "" }) => prepend + text + append,
    text,
  );

for (const plan of plans) {
  test(`arrives: ${plan.name}`, async () => {
    assertPlan(plan, await launchPlan(runtime, plan, transformOf(plan)));
  });
}

test("a difference is found", async () => {
  const plan = named("every way of composing, inactive tool search");
  const launched = await launchPlan(runtime, plan, transformOf(plan));
  assertPlan(plan, launched);
  const spoilt = {
    "a text that lacks a character": (copy) => (copy.arrived.prompt = copy.arrived.prompt.replace("Line two.", "Line two")),
    "a text in another place": (copy) => {
      copy.shape.prompt = copy.shape.prompt.replace("⟦tone⟧", "").replace("⟦tool_instructions⟧", "⟦tool_instructions⟧⟦tone⟧");
    },
    "a removed section that is there": (copy) => (copy.shape.prompt += copy.base.probes.tool_efficiency),
    "a missing tool": (copy) => copy.arrived.tools.splice(copy.arrived.tools.indexOf("runTests"), 1),
    "tool search that is not active": (copy) => copy.arrived.tools.push("tool_search_tool"),
    "a transform without a callback": (copy) => delete copy.answers.last_instructions,
    "another model": (copy) => (copy.arrived.requests[0].model = "other"),
  };
  for (const [what, spoil] of Object.entries(spoilt)) {
    const copy = structuredClone(launched);
    spoil(copy);
    assert.throws(() => assertPlan(plan, copy), assert.AssertionError, what);
  }
});

test("a tool-search call reaches the host's tool by its client name, the corpus beside it", async () => {
  const plan = named("tool search in Completions");
  const calls = [];
  const tools = Object.fromEntries(plan.sessionConfig.tools.map(({ name }) => [name, { ...clientTools.problems }]));
  tools.toolSearch = {
    ...clientTools.toolSearch,
    run: (args, call) => {
      calls.push({ args, ...call });
      return clientTools.toolSearch.run(args, call);
    },
  };
  const config = sessionConfigOf(plan, { clientTools: tools, transform: transformOf(plan) });
  const toolCall = { name: "tool_search_tool", arguments: { query: "readPage" } };
  const { requests } = await runtime.launch(config, { script: [{ toolCall }] });

  const [{ args, name, corpus }] = calls;
  assert.deepEqual({ args, name }, { args: toolCall.arguments, name: "toolSearch" });
  assert.ok(corpus.some((tool) => tool.name === "readPage" && tool.deferLoading));
  // What the model sees of the call is the answer: a name, none of the corpus.
  const answer = requests[1].messages.at(-1);
  assert.equal(answer.role, "tool");
  assert.ok(JSON.stringify(answer.content).includes("readPage"));
  assert.ok(!JSON.stringify(requests[1].messages).includes("deferLoading"));
});
