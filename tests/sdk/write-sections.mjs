// Prints schemas/runtime-sections.json as the pinned runtime behaves. `./run.sh --write` keeps the answer.

import { measureAll, MODEL, OTHER_MODELS } from "./measure.mjs";
import { openRuntime } from "./runtime.mjs";
import { sdkVersions } from "./versions.mjs";

const KEYS = {
  sections: "The twelve sections in prompt order; a group comes before its parts.",
  "sections[].wrapper": "The tag around the text. It stays with append, prepend, replace and goes with remove.",
  "sections[].append_starts_on_new_line":
    "false: appended text runs on from the foundation's last word unless it begins with a newline of its own.",
  "sections[].prepend_ends_its_line": "false: the foundation's first word follows prepended text directly.",
  "sections[].newline_runs":
    "'cut to two': three or more newlines in a row become two, in the foundation and in an override's own text alike.",
  "sections[].empty_replace": "What `replace` with an empty text does: as `remove`, the wrapper goes too.",
  "sections[].unchanged_transform":
    "What a transform that answers with the text it got does: it gets the text without the blanks around it.",
  "sections[].replace_takes_along, remove_takes_along":
    "Blocks elsewhere in the prompt that go with the section. A transform gets their text, without the tags.",
  "sections[].when_removed":
    "What removing the section changes for the others: their order in the prompt; newline_runs of all of them.",
  "groups.G.contains": "Sections inside the section G. All 132 ordered pairs were measured; no other pair is nested.",
  "groups.G.actions.A.part_overrides":
    "What action A on the group does to overrides of its parts, in any key order. 'discarded': the prompt is, byte for byte, " +
    "the one without them. 'kept': they show; under `transform` they are part of the text that the callback gets.",
  "groups.G.actions.A.without_effect": "Actions on a part that change nothing here.",
  content: "Where `content` lands: inside a section, after a block, followed by a newline.",
  "content.discarded_by": "Actions on that section that drop `content`. A transform gets it as part of its text.",
  "content.prompt_ends": "'trimmed': blanks at both ends of the whole prompt are cut (not in replace mode).",
  unknown_sections: "Overrides of names that are no sections: which actions keep their text, and where it lands.",
  "tools.filter_removes_*": "Does the filter remove the tool from what the model gets?",
  "tools.tool_search":
    "By wire protocol and model, tool search being enabled: the name under which the host's `tool_search_tool` is sent " +
    "(none: not sent), and whether the definitions of deferred tools are sent all the same.",
};

const runtime = await openRuntime();
try {
  const measured = await measureAll(runtime);
  const { sdk, runtime: runtimeVersion } = await sdkVersions();
  const file = {
    about:
      "What the runtime of the SDK does with a system message: measured by tests/sdk, not derived from documentation. " +
      "Written by tests/sdk/run.sh --write; tests/sdk/sections.test.mjs fails when a runtime behaves differently.",
    measured_with: { package: "@github/copilot-sdk", sdk, runtime: runtimeVersion, models: [MODEL, ...OTHER_MODELS] },
    keys: KEYS,
    ...measured,
  };
  process.stdout.write(`${JSON.stringify(file, null, 2)}\n`);
} finally {
  await runtime.close();
}
