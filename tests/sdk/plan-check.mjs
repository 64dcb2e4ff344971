// Launches a plan and compares what arrives at the model with what the plan asks for.
//
// Nothing here knows a rule's wording. A second session, its *shape*, has the same overrides with a mark in place of
// every text: it shows where each text has to be. Filled with the plan's texts it must be the prompt that arrived.

import assert from "node:assert/strict";
import { sessionConfigOf } from "../../examples/host-node/session-config.mjs";
import { cutsNewlines, expectedOrder, facts, isDiscarded, seenOrder } from "./facts.mjs";
import { SESSION } from "./runtime.mjs";
import { asAsked, foundation, mark } from "./sections.mjs";

/** `transform`: `(section, text) => Promise<text>`, the plan's steps applied. */
export async function launchPlan(runtime, plan, transform) {
  const answers = {};
  const config = sessionConfigOf(plan, {
    clientTools: standIns(plan),
    transform: async (section, text) => (answers[section] = await transform(section, text)),
  });
  const { systemMessage: _, ...bare } = config;
  // The runtime knows tool search of GPT models in the Responses protocol only, of Claude in Completions only.
  const wire = { wireApi: /(^|\/)gpt/.test(config.model ?? "") ? "responses" : "completions" };
  const [arrived, shape, base] = await Promise.all([
    runtime.launch(config, wire),
    runtime.launch({ ...bare, systemMessage: marked(plan.sessionConfig.systemMessage) }, wire),
    foundation(runtime, bare),
  ]);
  for (const section of Object.keys(answers)) {
    answers[section] = answers[section].replaceAll(arrived.sessionId, SESSION);
  }
  return { arrived, shape, base, answers };
}

export function assertPlan(plan, { arrived, shape, base, answers }) {
  const { systemMessage } = plan.sessionConfig;
  if (systemMessage.mode === "replace") {
    assert.equal(arrived.prompt, systemMessage.content);
  } else {
    assertAnswers(systemMessage, answers);
    assertShape(systemMessage, base, shape.prompt);
    assertSameText(arrived.prompt, filled(shape.prompt, systemMessage, answers));
  }
  assertModel(plan.sessionConfig, arrived.requests[0]);
  assertTools(plan.sessionConfig, arrived);
}

/** Tools as a host would have them; what they do plays no part here. */
function standIns({ sessionConfig }) {
  const tool = { description: "A tool.", parameters: { type: "object", properties: {} }, run: () => "done" };
  return Object.fromEntries(sessionConfig.tools.map(({ name }) => [name, tool]));
}

/** The message with a mark for every text; a transform answers with its mark alone. */
function marked(systemMessage) {
  const { mode, sections = {}, content } = systemMessage;
  if (mode !== "customize") return systemMessage;
  const withMarks = Object.entries(sections).map(([section, override]) => {
    if (override.action === "transform") return [section, { action: () => mark(section) }];
    return [section, override.content ? { ...override, content: mark(section) } : override];
  });
  return { mode, sections: Object.fromEntries(withMarks), ...(content && { content: mark("content") }) };
}

const actionsOf = ({ sections = {} }) =>
  Object.fromEntries(Object.entries(sections).map(([section, { action }]) => [section, action]));

/** An empty replacement removes as well. */
const removedIn = ({ sections = {} }) =>
  Object.keys(sections).filter((section) => inShape(sections[section]) === "remove");

/** Each transform was asked, once its section is there, and a last step that appends shows at the end. */
function assertAnswers(systemMessage, answers) {
  const actions = actionsOf(systemMessage);
  for (const [section, { action, steps = [] }] of Object.entries(systemMessage.sections ?? {})) {
    if (action !== "transform" || isDiscarded(section, actions)) continue;
    assert.ok(section in answers, `no callback for ${section}`);
    const last = steps.at(-1)?.append;
    if (last !== undefined) assert.ok(answers[section].endsWith(last), `${section} does not end with its last step`);
  }
}

/** The marks are where the contract says. */
function assertShape(systemMessage, base, prompt) {
  const actions = actionsOf(systemMessage);
  for (const [section, override] of Object.entries(systemMessage.sections ?? {})) {
    if (isHidden(section, actions)) {
      assert.ok(!prompt.includes(mark(section)), `${section} is discarded by its group, and shows`);
    } else {
      const there = asAsked(base, prompt, section, inShape(override));
      assert.ok(there, `${section}:${override.action} is not in its place`);
    }
  }
  const seen = seenOrder(base, prompt);
  assert.deepEqual(seen, expectedOrder(removedIn(systemMessage)).filter((section) => seen.includes(section)));
  assertContent(systemMessage, actions[facts.content.inside], prompt);
}

/** What an override comes to in the shape: a transform replaces, an empty text removes or adds nothing. */
function inShape({ action, content }) {
  if (action === "transform") return "replace";
  if (content) return action;
  return ["replace", "remove"].includes(action) ? "remove" : "preserve";
}

/** The text of a group that answers with its mark alone takes its parts along, as a group that discards them does. */
function isHidden(section, actions) {
  const group = Object.entries(facts.groups).find(([, { contains }]) => contains.includes(section))?.[0];
  return actions[group] === "transform" || isDiscarded(section, actions);
}

function assertContent({ content }, holder, prompt) {
  if (!content) return;
  const position = prompt.indexOf(mark("content"));
  if (holder === "transform" || facts.content.discarded_by.includes(holder)) {
    assert.equal(position, -1, "content shows though its section is gone");
    return;
  }
  assert.ok(position >= 0, "content is missing");
  const before = prompt.slice(0, position).trimEnd();
  assert.ok(before.endsWith(`</${facts.content.after_block}>`), `content after …${before.slice(-40)}`);
  assert.ok(prompt.startsWith(`${mark("content")}${facts.content.followed_by}`, position), "content runs on");
}

/** `shape` with the texts in place of their marks, and the runtime's own treatment of blanks. */
function filled(shape, systemMessage, answers) {
  const { sections = {}, content } = systemMessage;
  const removed = removedIn(systemMessage);
  let text = shape.replace(mark("content"), () => content ?? "");
  for (const [section, override] of Object.entries(sections)) {
    const own = override.action === "transform" ? answers[section] : override.content;
    text = text.replace(new RegExp(`(\n*)${mark(section)}(\n*)`), (_, before, after) => {
      const whole = before + own + after;
      return cutsNewlines(section, removed) ? whole.replace(/\n{3,}/g, "\n\n") : whole;
    });
  }
  return text.trim();
}

function assertSameText(actual, expected) {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  assert.fail(`the prompt differs at ${at}:\n  arrived  ${around(actual)}\n  expected ${around(expected)}`);
}

function assertModel({ model, reasoningEffort }, request) {
  if (model !== undefined) assert.equal(request.model, model);
  if (reasoningEffort === undefined) return;
  const sent = request.reasoning_effort ?? request.reasoning?.effort ?? "none";
  assert.equal(sent, reasoningEffort);
}

function assertTools({ model, tools, toolSearch, availableTools, excludedTools = [] }, { tools: sent, requests }) {
  const runtimeTool = "tool_search_tool";
  const denied = ({ registeredAs }) =>
    excludedTools.some((pattern) => [registeredAs, `custom:${registeredAs}`, "custom:*"].includes(pattern));
  const own = tools.filter(({ registeredAs }) => registeredAs !== runtimeTool);

  for (const tool of own) {
    if (denied(tool)) assert.ok(!sent.includes(tool.registeredAs), `${tool.name} is excluded, and sent`);
    // Whether a deferred tool's definition is sent depends on the protocol.
    else if (tool.defer !== "auto") assert.ok(sent.includes(tool.registeredAs), `${tool.name} is not sent`);
  }
  for (const { name, registeredAs } of tools) {
    if (name !== registeredAs) assert.ok(!sent.includes(name), `${name} is sent under its client name`);
  }

  const builtIn = sent.filter((name) => !name.startsWith("tool_search") && !own.some((tool) => tool.name === name));
  for (const name of builtIn) {
    const names = [name, `builtin:${name}`, "builtin:*"];
    assert.ok(availableTools?.some((pattern) => names.includes(pattern)) ?? true, `${name} is not available, and sent`);
    assert.ok(!excludedTools.some((pattern) => names.includes(pattern)), `${name} is excluded, and sent`);
  }

  const searched = sent.filter((name) => name.startsWith("tool_search"));
  if (!toolSearch.enabled) {
    assert.deepEqual(searched, []);
    assert.deepEqual(deferredIn(requests[0]), []);
    return;
  }
  const deferred = own.filter((tool) => tool.defer === "auto" && !denied(tool)).map(({ registeredAs }) => registeredAs);
  const { sent_as } = [facts.tools.tool_search.completions, facts.tools.tool_search.responses]
    .map((table) => table[model] ?? {})
    .find((row) => row.sent_as) ?? {};
  const counted = sent.length + deferred.filter((name) => !sent.includes(name)).length;
  // Only for measured models is it known that the runtime takes part.
  if (sent_as && counted > toolSearch.deferThreshold && deferred.length > 0) {
    assert.deepEqual(searched, [sent_as]);
    assert.deepEqual(deferredIn(requests[0]).sort(), deferred.sort());
  }
}

/** The names that the runtime tells the model to look for with tool search. */
function deferredIn({ messages, input }) {
  const [, list = ""] = JSON.stringify(messages ?? input).match(/are deferred.*?Other tools:((?:\\n- [\w-]+)+)/) ?? [];
  return list.split("\\n- ").slice(1);
}
