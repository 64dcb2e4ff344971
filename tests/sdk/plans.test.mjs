// Launch plans of the shipped rules (and of fixtures/rules, for shapes that those need not have) against the real
// runtime: from `promptrules launch` to the prompt and the tools that a model gets.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startPlanner, transform } from "../../examples/host-node/planner.mjs";
import { assertPlan, launchPlan } from "./plan-check.mjs";
import { openRuntime } from "./runtime.mjs";

const bin = process.env.PROMPTRULES_BIN;
const root = fileURLToPath(new URL("../../", import.meta.url));
const cases = JSON.parse(await readFile(new URL("fixtures/requests.json", import.meta.url), "utf8"));
const rulesOf = ({ rules = "rules" }) => root + rules;

describe("plans", { skip: bin ? false : "PROMPTRULES_BIN does not name the command" }, () => {
  const planners = new Map();
  const plans = [];
  let runtime;

  before(async () => {
    runtime = await openRuntime();
    for (const one of cases) {
      if (!planners.has(rulesOf(one))) planners.set(rulesOf(one), startPlanner({ bin, rules: rulesOf(one) }));
    }
  });
  after(async () => {
    for (const planner of planners.values()) planner.stop();
    await runtime.close();
  });

  for (const one of cases) {
    test(one.name, async () => {
      const plan = await planners.get(rulesOf(one)).plan(one.request);
      plans.push(plan);
      const launched = await launchPlan(runtime, plan, (section, text) => transform(plan, section, text, { bin }));
      assertPlan(plan, launched);
    });
  }

  test("one request gives the plan that the pipe gives", async () => {
    const [one] = cases;
    const args = ["launch", "--rules", rulesOf(one), "--request", "-"];
    const { status, stdout } = spawnSync(bin, args, { input: JSON.stringify(one.request), encoding: "utf8" });
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), await planners.get(rulesOf(one)).plan(one.request));
  });

  // The requests are data: should an edit of the rules or of the requests leave out a kind of plan, this says so.
  test("the plans are of every kind", () => {
    const has = (what, holds) => assert.ok(plans.some(({ sessionConfig }) => holds(sessionConfig)), `no plan ${what}`);
    const overrides = ({ systemMessage }) => Object.values(systemMessage.sections ?? {});
    for (const mode of ["replace", "customize"]) has(`in ${mode} mode`, ({ systemMessage }) => systemMessage.mode === mode);
    for (const action of ["replace", "append", "prepend", "remove", "transform"]) {
      has(`with ${action}`, (config) => overrides(config).some((override) => override.action === action));
    }
    has("with content", ({ systemMessage }) => systemMessage.content);
    has("with tool search", ({ toolSearch }) => toolSearch.enabled);
    has("without tool search", ({ toolSearch }) => !toolSearch.enabled);
    has("with deferred tools", ({ tools }) => tools.some(({ defer }) => defer === "auto"));
    has("with an allow-list", ({ availableTools }) => availableTools);
    has("with a deny-list", ({ excludedTools }) => excludedTools);
    has("without a model", ({ model }) => model === undefined);
  });
});
