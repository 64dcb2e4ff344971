// Measures what the runtime does with a system message. write-sections.mjs keeps the answers in
// schemas/runtime-sections.json, sections.test.mjs compares the runtime with that file.

import { ACTIONS, customize, foundation, mark, orderIn, SECTIONS } from "./sections.mjs";

/** The model that the file is measured with. */
export const MODEL = "claude-opus-4.8";

/** Other prompts of the runtime: the sections' texts differ, what is measured must not. */
export const OTHER_MODELS = ["gpt-5.4", "gemini-3-pro", "preview-x"];

export async function measureAll(runtime) {
  const base = await foundation(runtime, { model: MODEL });
  const nesting = await measureNesting(runtime, base);
  return {
    sections: await measureSections(runtime, base),
    groups: await entries(Object.keys(nesting), (group) => measureGroup(runtime, base, group, nesting[group])),
    content: await measureContent(runtime, base),
    unknown_sections: await measureUnknown(runtime, base),
    tools: await measureTools(runtime),
  };
}

/** All ordered pairs: a part's text disappears when the group is replaced, and what is appended to it as well. */
async function measureNesting(runtime, base) {
  const parts = await entries(SECTIONS, async (group) => {
    const lost = await entries(SECTIONS, async (part) => {
      if (part === group) return false;
      const prompt = await prompted(runtime, base, customize({ [group]: "replace", [part]: "append" }));
      return !prompt.includes(mark(part));
    });
    return SECTIONS.filter((part) => lost[part]);
  });
  return Object.fromEntries(Object.entries(parts).filter(([, parts]) => parts.length > 0));
}

/** What every action on the group does to every override of a part, in both key orders. */
async function measureGroup(runtime, base, group, parts) {
  const actions = await entries(ACTIONS, async (groupAction) => {
    const alone = await prompted(runtime, base, customize({ [group]: groupAction }));
    const shows = async (part, action) => {
      const [first, last] = await Promise.all([
        prompted(runtime, base, customize({ [group]: groupAction, [part]: action })),
        prompted(runtime, base, customize({ [part]: action, [group]: groupAction })),
      ]);
      if (first !== last) throw new Error(`key order counts: ${group}:${groupAction}, ${part}:${action}`);
      return first !== alone;
    };
    const effects = await entries(ACTIONS, async (action) => {
      const perPart = await Promise.all(parts.map((part) => shows(part, action)));
      if (new Set(perPart).size > 1) throw new Error(`${group}:${groupAction}: parts differ under ${action}`);
      return perPart[0];
    });
    const idle = ACTIONS.filter((action) => !effects[action]);
    if (idle.length === ACTIONS.length) return { part_overrides: "discarded" };
    return { part_overrides: "kept", ...optional("without_effect", idle) };
  });
  const textOf = (part) => base.prompt.indexOf(base.probes[part]);
  return { contains: parts.toSorted((a, b) => textOf(a) - textOf(b)), actions };
}

/** Per section, in prompt order: its wrapper, and how an override's text meets the foundation's. */
export async function measureSections(runtime, base) {
  const rows = await Promise.all(
    SECTIONS.map(async (section) => {
      const alone = (action, content) => prompted(runtime, base, one(section, { action, content }));
      const [replaced, appended, prepended, removed, emptied, spaced, unchanged] = await Promise.all([
        alone("replace", mark(section)),
        alone("append", mark(section)),
        alone("prepend", mark(section)),
        alone("remove"),
        alone("replace", ""),
        alone("replace", `${mark(section)}\n\n\n\n.`),
        alone((text) => text),
      ]);
      const wrapper = replaced.match(new RegExp(`<(\\w+)>${mark(section)}</\\1>`))?.[1];
      const row = {
        name: section,
        default: base.texts[section] === "" ? "empty" : "text",
        ...(wrapper && { wrapper }),
        append_starts_on_new_line: appended[appended.indexOf(mark(section)) - 1] === "\n",
        prepend_ends_its_line: prepended[prepended.indexOf(mark(section)) + mark(section).length] === "\n",
        newline_runs: spaced.includes(`${mark(section)}\n\n\n\n.`) ? "kept" : "cut to two",
        empty_replace: emptied === removed ? "as remove" : "other",
        unchanged_transform: unchanged === base.prompt ? "as without" : "changes blanks",
        ...takenAlong(base, { replaced, removed }, section, wrapper),
        ...(await measureRemoval(runtime, base, section)),
      };
      return [replaced.indexOf(mark(section)), row];
    }),
  );
  // A group stands where its first part does; it comes first.
  const length = (row) => base.texts[row.name].length;
  return rows.sort(([a, x], [b, y]) => a - b || length(y) - length(x)).map(([, row]) => row);
}

/** What the removal of a section changes for the others: their order, and what becomes of newlines in their texts. */
async function measureRemoval(runtime, base, section) {
  const witness = section === "tone" ? "tool_efficiency" : "tone";
  const gap = { action: "append", content: `${mark(witness)}\n\n\n\n.` };
  const [order, orderWithout, spaced] = await Promise.all([
    measureOrder(runtime, base),
    measureOrder(runtime, base, section),
    prompted(runtime, base, { mode: "customize", sections: { [section]: { action: "remove" }, [witness]: gap } }),
  ]);
  const changes = {
    ...(!inOrder(orderWithout, order) && { order: orderWithout }),
    ...(spaced.includes(gap.content) && { newline_runs: "kept" }),
  };
  return Object.keys(changes).length > 0 ? { when_removed: changes } : {};
}

/** The order of the sections, with one of them removed. A section without text is seen by a mark appended to it. */
async function measureOrder(runtime, base, removed) {
  const empty = SECTIONS.filter((section) => base.probes[section] === undefined);
  const actions = Object.fromEntries(empty.map((section) => [section, "append"]));
  const prompt = await prompted(runtime, base, customize({ ...actions, ...(removed && { [removed]: "remove" }) }));
  const marks = Object.fromEntries(empty.map((section) => [section, mark(section)]));
  return orderIn(prompt, { ...base.probes, ...marks });
}

/** Where `content` lands, and which override of that section costs it. */
async function measureContent(runtime, base) {
  const content = mark("content");
  const seen = {};
  const [plain, appendMode, replaceMode, outer] = await Promise.all([
    prompted(runtime, base, { mode: "customize", content }),
    prompted(runtime, base, { mode: "append", content }),
    prompted(runtime, base, { mode: "replace", content: `\n${content}\n\n\n\n` }),
    prompted(runtime, base, {
      mode: "customize",
      sections: {
        preamble: { action: "prepend", content: "\n \n" },
        last_instructions: { action: "append", content: "\n \n" },
      },
    }),
    ...SECTIONS.map((section) => {
      const action = (text) => (seen[section] = text);
      return prompted(runtime, base, { ...one(section, { action }), content });
    }),
  ]);
  const inside = SECTIONS.filter((section) => seen[section].includes(content));
  const costs = await Promise.all(
    ACTIONS.map(async (action) => {
      const prompt = await prompted(runtime, base, customize({ [inside[0]]: action }, content));
      return !prompt.includes(content);
    }),
  );
  const [, tag] = plain.match(new RegExp(`</(\\w+)>\\s*${content}`));
  return {
    inside,
    after_block: tag,
    followed_by: plain.slice(plain.indexOf(content) + content.length).match(/^\s*/)[0],
    discarded_by: ACTIONS.filter((_, i) => costs[i]),
    append_mode: appendMode === plain ? "as customize" : "other",
    replace_mode: replaceMode === `\n${content}\n\n\n\n` ? "content alone, byte for byte" : "other",
    prompt_ends: outer === base.prompt ? "trimmed" : "kept",
  };
}

async function measureUnknown(runtime, base) {
  const asked = ACTIONS.map((action) => [`unknown_${action}`, action]);
  const { prompt } = await runtime.launch({
    model: base.model,
    systemMessage: customize(Object.fromEntries(asked)),
  });
  const kept = asked.filter(([section]) => prompt.includes(mark(section)));
  const order = orderIn(prompt, { ...base.probes, unknown: mark(kept[0][0]) });
  return {
    kept_actions: kept.map(([, action]) => action),
    lands_before: order[order.indexOf("unknown") + 1],
  };
}

/** Which filters reach a tool that the host registers, and what becomes of tool search. */
async function measureTools(runtime) {
  const tool = (name, more) => ({ name, description: name, parameters: { type: "object" }, handler: () => "", ...more });
  const search = tool("tool_search_tool", { overridesBuiltInTool: true, defer: "never" });
  const later = tool("later", { defer: "auto" });
  const toolSearch = { enabled: true, deferThreshold: 1 };
  const sent = async (config, wire) => (await runtime.launch({ model: MODEL, toolSearch, ...config }, wire)).tools;

  const filters = {
    available_other_name: { availableTools: ["other"] },
    available_empty: { availableTools: [] },
    excluded_name: { excludedTools: ["probe", "tool_search_tool"] },
    excluded_custom_name: { excludedTools: ["custom:probe", "custom:tool_search_tool"] },
  };
  const tools = [search, later, tool("probe", { defer: "never" })];
  const removedBy = async (name) =>
    entries(Object.keys(filters), async (key) => !(await sent({ tools, ...filters[key] })).includes(name));
  const searched = async (wireApi) =>
    entries([MODEL, ...OTHER_MODELS], async (model) => {
      const names = await sent({ model, tools }, { wireApi });
      const name = names.find((name) => name.startsWith("tool_search"));
      return { ...(name && { sent_as: name }), deferred_tools: names.includes("later") ? "sent" : "left out" };
    });
  return {
    filter_removes_client_tool: await removedBy("probe"),
    filter_removes_tool_search_tool: await removedBy("tool_search_tool"),
    tool_search: { completions: await searched("completions"), responses: await searched("responses") },
    tool_search_without_deferred_tools: (await sent({ tools: [search] })).includes(search.name) ? "sent" : "not sent",
  };
}

const prompted = async (runtime, { model }, systemMessage) => (await runtime.launch({ model, systemMessage })).prompt;

const entries = async (keys, value) =>
  Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await value(key)])));

const one = (section, override) => ({ mode: "customize", sections: { [section]: override } });

const optional = (key, list) => (list.length > 0 ? { [key]: list } : {});

/** Blocks that go with a replaced or removed section although its text, as a transform gets it, has no such tags. */
function takenAlong({ prompt, texts }, { replaced, removed }, section, wrapper) {
  const tags = (text) => [...new Set([...text.matchAll(/^<(\w+)>/gm)].map(([, tag]) => tag))];
  const own = [...tags(texts[section]), wrapper];
  const gone = (from) => tags(prompt).filter((tag) => !own.includes(tag) && !from.includes(`<${tag}>`));
  return { ...optional("replace_takes_along", gone(replaced)), ...optional("remove_takes_along", gone(removed)) };
}

/** Is `some` a part of `all`, in the same order? */
const inOrder = (some, all) => some.join() === all.filter((section) => some.includes(section)).join();
