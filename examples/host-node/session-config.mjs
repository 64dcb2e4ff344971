// From a launch plan to the config that `createSession` and `resumeSession` of @github/copilot-sdk take.

/**
 * @param plan        what `promptrules launch` answered
 * @param clientTools the host's tools by client name: `{description, parameters, run(args, {name, corpus})}`
 * @param transform   `(section, text) => Promise<text>`: applies the plan's steps for the section
 */
export function sessionConfigOf(plan, { clientTools, transform }) {
  const { tools, systemMessage, ...spread } = plan.sessionConfig;
  return {
    ...spread,
    tools: tools.map((tool) => registered(tool, clientTools[tool.name])),
    systemMessage: withCallbacks(systemMessage, transform),
  };
}

/** The runtime knows a tool as `registeredAs`; the host's own tool is called under its client name again. */
function registered({ name, registeredAs, ...flags }, { description, parameters, run }) {
  return {
    ...flags,
    name: registeredAs,
    description,
    parameters,
    // The corpus of deferred tools comes with a tool-search call only. It goes to the local tool beside the
    // arguments and must not be part of the result: that is what the model sees.
    handler: (args, { availableTools }) => run(args, { name, corpus: availableTools }),
  };
}

/** A transform is a callback to the SDK; the steps stay with the plan. */
function withCallbacks(systemMessage, transform) {
  if (systemMessage.mode !== "customize") return systemMessage;
  const sections = Object.entries(systemMessage.sections).map(([section, override]) => {
    if (override.action !== "transform") return [section, override];
    return [section, { action: loud(section, (text) => transform(section, text)) }];
  });
  return { ...systemMessage, sections: Object.fromEntries(sections) };
}

/** The SDK takes a callback that fails for one that changes nothing. A host wants to know. */
function loud(section, callback) {
  return async (text) => {
    try {
      return await callback(text);
    } catch (error) {
      console.error(`transform of ${section} failed, its text stays as it is: ${error.message}`);
      throw error;
    }
  };
}
