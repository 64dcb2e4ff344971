// The runtime does with sections what schemas/runtime-sections.json says. That file is what `section-masked` and the
// spacing findings stand on: when a new SDK fails here, write it again (`./run.sh --write`) and read the difference.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { expectedOrder, facts, isDiscarded, seenOrder } from "./facts.mjs";
import { measureAll, measureSections, MODEL, OTHER_MODELS } from "./measure.mjs";
import { openRuntime } from "./runtime.mjs";
import { ACTIONS, asAsked, customize, foundation, mark, SECTIONS } from "./sections.mjs";
import { sdkVersions } from "./versions.mjs";

let runtime;
before(async () => (runtime = await openRuntime()));
after(() => runtime.close());

test("the file was measured with the SDK that is pinned and installed", async () => {
  const { sdk, runtime, pinned, pinnedByExample } = await sdkVersions();
  assert.deepEqual([pinned, pinnedByExample], [sdk, sdk]);
  assert.deepEqual({ ...facts.measured_with, sdk, runtime }, facts.measured_with);
});

test(`what the file says holds for ${MODEL}`, async () => {
  const { about, measured_with, keys, ...said } = facts;
  assert.deepEqual(await measureAll(runtime), said);
});

for (const model of OTHER_MODELS) {
  test(`the sections of ${model} differ in nothing but their texts`, async () => {
    assert.deepEqual(await measureSections(runtime, await foundation(runtime, { model })), facts.sections);
  });
}

// Two sections that are no group and part never touch each other. Every session overrides all twelve; an orthogonal
// array sees to it that each pair of sections meets in each pair of actions.
for (const [model, keyOrder] of [
  [MODEL, "rising"],
  [MODEL, "falling"],
  ["gpt-5.4", "rising"],
]) {
  test(`all pairs of sections and of actions, ${model}, keys ${keyOrder}`, async () => {
    const base = await foundation(runtime, { model });
    const launches = await Promise.all(
      pairwise(SECTIONS, ACTIONS).map(async (row) => {
        const actions = Object.fromEntries(keyOrder === "rising" ? row : row.toReversed());
        return { actions, ...(await runtime.launch({ model, systemMessage: customize(actions) })) };
      }),
    );
    for (const { actions, prompt } of launches) {
      for (const [section, action] of Object.entries(actions)) {
        const here = `${section}:${action} in ${JSON.stringify(actions)}`;
        if (isDiscarded(section, actions)) assert.ok(!prompt.includes(mark(section)), `kept: ${here}`);
        else assert.ok(asAsked(base, prompt, section, action), `not as asked: ${here}`);
      }
      const seen = seenOrder(base, prompt);
      const removed = SECTIONS.filter((section) => actions[section] === "remove");
      const expected = expectedOrder(removed).filter((section) => seen.includes(section));
      assert.deepEqual(seen, expected, JSON.stringify(actions));
    }
  });
}

/** Rows of `[factor, level]` pairs in which each two factors meet in each two levels (Bose's construction, prime 11). */
function pairwise(factors, levels) {
  const q = 11;
  assert.ok(factors.length <= q + 1 && levels.length <= q);
  const cells = Array.from({ length: q * q }, (_, n) => [Math.floor(n / q), n % q]);
  return cells.map(([i, j]) =>
    factors.map((factor, k) => [factor, levels[(k === q ? j : (i + k * j) % q) % levels.length]]),
  );
}
