// The vocabulary of the measurements: sections, actions, overrides with a mark that can be found again in a prompt.

import { SYSTEM_MESSAGE_SECTIONS } from "@github/copilot-sdk";

export const SECTIONS = Object.keys(SYSTEM_MESSAGE_SECTIONS);
export const ACTIONS = ["replace", "append", "prepend", "remove", "preserve", "transform"];

export const mark = (name) => `⟦${name}⟧`;

/** An override of `section` that leaves its mark where it can. A transform keeps the text that it is given. */
export function override(action, section) {
  switch (action) {
    case "remove":
    case "preserve":
      return { action };
    case "transform":
      return { action: (text) => text + mark(section) };
    default:
      return { action, content: mark(section) };
  }
}

/** `{tone: "append", …}` as the `systemMessage` of a session. */
export function customize(actions, content) {
  const sections = Object.entries(actions).map(([section, action]) => [section, override(action, section)]);
  return { mode: "customize", sections: Object.fromEntries(sections), ...(content && { content }) };
}

/**
 * The foundation prompt of a session without overrides: the whole `prompt`, each section's text as a transform
 * callback gets it (`texts`), and of each text a line that occurs nowhere else (`probes`; none if it is empty).
 */
export async function foundation(runtime, config) {
  const texts = {};
  const [{ prompt }] = await Promise.all([
    runtime.launch(config),
    ...SECTIONS.map((section) => {
      const action = (text) => (texts[section] = text);
      return runtime.launch({ ...config, systemMessage: { mode: "customize", sections: { [section]: { action } } } });
    }),
  ]);
  const probes = {};
  for (const section of SECTIONS) {
    const smaller = SECTIONS.filter((other) => texts[other].length < texts[section].length);
    probes[section] = texts[section]
      .split("\n")
      .filter((line) => line.length > 10 && prompt.split(line).length === 2)
      .find((line) => !smaller.some((other) => texts[other].includes(line)));
  }
  return { model: config.model, prompt, texts, probes };
}

/** Does `prompt` show what `action` on `section` asks for? */
export function asAsked({ probes }, prompt, section, action) {
  const probe = probes[section];
  const text = probe === undefined ? undefined : prompt.indexOf(probe);
  const found = prompt.indexOf(mark(section));
  const has = (position) => position === undefined || position >= 0;
  const lacks = (position) => position === undefined || position < 0;
  switch (action) {
    case "replace":
      return has(found) && lacks(text);
    case "append":
    case "transform":
      return has(found) && has(text) && found > (text ?? -1);
    case "prepend":
      return has(found) && has(text) && found < (text ?? Infinity);
    case "remove":
      return lacks(found) && lacks(text);
    case "preserve":
      return lacks(found) && has(text);
  }
}

/** The sections whose text (or mark) is found in `prompt`, in the order in which they come. */
export function orderIn(prompt, needles) {
  return Object.entries(needles)
    .map(([section, needle]) => [section, needle === undefined ? -1 : prompt.indexOf(needle)])
    .filter(([, position]) => position >= 0)
    .sort(([, a], [, b]) => a - b)
    .map(([section]) => section);
}
