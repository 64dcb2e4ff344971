// The tools of this example host, by client name. A real host has them from its editor.

export const clientTools = {
  runTests: {
    description: "Runs the project's tests.",
    parameters: { type: "object", properties: {} },
    run: async () => "All tests passed.",
  },
  problems: {
    description: "Lists the problems that the editor knows in a file.",
    parameters: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
    run: async ({ file }) => `No problems in ${file}.`,
  },
  toolSearch: {
    description: "Finds tools by what they do.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    // Answers with names; `toolReferences` makes the runtime load the definitions of these deferred tools.
    run: async ({ query }, { corpus = [] }) => {
      const words = query.toLowerCase().split(/\W+/);
      const found = corpus.filter(({ name, description }) => {
        const text = `${name} ${description}`.toLowerCase();
        return words.some((word) => text.includes(word));
      });
      const names = found.map(({ name }) => name);
      return { resultType: "success", textResultForLlm: names.join("\n"), toolReferences: names };
    },
  },
};
