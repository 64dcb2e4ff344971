// What schemas/runtime-sections.json says about a message whose sections have the given actions.

import { readFile } from "node:fs/promises";
import { mark, orderIn } from "./sections.mjs";

export const facts = JSON.parse(await readFile(new URL("../../schemas/runtime-sections.json", import.meta.url), "utf8"));

/** Does the action on a group that holds `section` discard the override of `section`? `actions`: by section. */
export function isDiscarded(section, actions) {
  return Object.entries(facts.groups).some(
    ([group, { contains, actions: table }]) =>
      contains.includes(section) && table[actions[group]]?.part_overrides === "discarded",
  );
}

/** The sections that are seen in the prompt, in its order: at their mark, else at their text. */
export function seenOrder({ probes }, prompt) {
  // A group is seen at many places and has no place of its own.
  const sections = facts.sections.map(({ name }) => name).filter((name) => !(name in facts.groups));
  const needle = (section) => (prompt.includes(mark(section)) ? mark(section) : probes[section]);
  return orderIn(prompt, Object.fromEntries(sections.map((section) => [section, needle(section)])));
}

/** All sections in the order that the prompt must have, when some are removed. */
export function expectedOrder(removed) {
  return effectsOf(removed).find(({ order }) => order)?.order ?? facts.sections.map(({ name }) => name);
}

/** Does the runtime cut runs of newlines in a section's text, when some sections are removed? */
export function cutsNewlines(section, removed) {
  const { newline_runs } = facts.sections.find(({ name }) => name === section);
  return newline_runs !== "kept" && !effectsOf(removed).some(({ newline_runs }) => newline_runs === "kept");
}

const effectsOf = (removed) =>
  facts.sections.filter(({ name }) => removed.includes(name)).flatMap(({ when_removed = [] }) => when_removed);
