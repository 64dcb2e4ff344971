// A model provider on loopback that records what the runtime sends it.
//
// It speaks just enough of OpenAI's two streaming protocols for a session to take a turn. Every launch gets its own
// base URL, so that launches may run side by side and still find their own requests.

import { createServer } from "node:http";

const PROTOCOLS = { "chat/completions": completions, responses };

export async function startFakeModel() {
  const launches = new Map();

  const server = createServer(async (request, response) => {
    const [, id, , ...route] = request.url.split("/");
    const launch = launches.get(id);
    const answer = PROTOCOLS[route.join("/")];
    if (!launch || !answer) {
      response.writeHead(404).end();
      return;
    }
    launch.requests.push(JSON.parse(await text(request)));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of answer(launch.script.shift() ?? { content: "ok" })) {
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

  return {
    /**
     * The provider of one launch, and the list that fills with its requests. `script`: the model's answers, one a
     * request: `{content}` or `{toolCall: {name, arguments}}`; without one it says "ok".
     */
    expect(id, { script = [], wireApi = "completions" } = {}) {
      const launch = { requests: [], script: [...script] };
      launches.set(id, launch);
      const baseUrl = `http://127.0.0.1:${server.address().port}/${id}/v1`;
      return { provider: { type: "openai", wireApi, baseUrl, apiKey: "none" }, requests: launch.requests };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function text(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function completions({ content, toolCall }) {
  const chunk = (delta, finish_reason = null) => ({
    id: "fake",
    object: "chat.completion.chunk",
    created: 0,
    model: "fake",
    choices: [{ index: 0, delta, finish_reason }],
  });
  if (!toolCall) return [chunk({ role: "assistant", content }), chunk({}, "stop")];
  const call = { name: toolCall.name, arguments: JSON.stringify(toolCall.arguments ?? {}) };
  return [
    chunk({ role: "assistant", tool_calls: [{ index: 0, id: "call-1", type: "function", function: call }] }),
    chunk({}, "tool_calls"),
  ];
}

function responses({ content }) {
  const item = { id: "item", type: "message", role: "assistant", content: [{ type: "output_text", text: content }] };
  const response = (status, output) => ({ id: "fake", object: "response", model: "fake", status, output });
  return [
    { type: "response.created", response: response("in_progress", []) },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: response("completed", [item]) },
  ];
}
