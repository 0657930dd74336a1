import { describe, expect, test } from "vitest";
import { parseRequests, type RenderedRequest, renderRequest } from "../../lib/request/mod.ts";

function stepsOf(body: string, variables: Record<string, string> = {}): unknown[] {
  const [draft] = parseRequests(`WEBSOCKET ws://a.test/\n\n${body}`);
  if (draft === undefined) throw new Error("There is no request");
  const rendered: RenderedRequest = renderRequest(draft, new Map(Object.entries(variables)));
  return (rendered.messages ?? []).map((step) => (step.kind === "send" ? step.text : "wait"));
}

describe("messages of a WebSocket request", () => {
  test.each<[string, unknown[]]>([
    ["", []],
    ["one", ["one"]],
    ["one\ntwo\n", ["one\ntwo"]],
    ["===\none\n===\ntwo\n===\n", ["one", "two"]],
    ["one\r\n=== wait-for-server\r\ntwo", ["one", "wait", "two"]],
    ["=== wait-for-server\n=== wait-for-server\none", ["wait", "wait", "one"]],
    ["  indented\n\n  stays\n===  \n\n", ["  indented\n\n  stays"]],
    ["====\nno separator === here", ["====\nno separator === here"]],
    ['{"a": "{{v}}"}\n===\n{{v}}', ['{"a": "x\\n===\\ny\\""}', 'x\n===\ny"']],
  ])("%j", (body, wanted) => {
    expect(stepsOf(body, { v: 'x\n===\ny"' })).toEqual(wanted);
  });

  test.each([
    ["one\n===\n< {{v}}.json\n===\ntwo", ["one", "two"]],
    ["< {{v}}.json", []],
  ])("the file in %j is not sent, and a warning says so", (body, wanted) => {
    const [draft] = parseRequests(`WEBSOCKET ws://a.test/\n\n${body}`);
    const rendered = draft && renderRequest(draft, new Map([["v", "x"]]));
    expect(rendered?.messages).toEqual(wanted.map((text) => ({ kind: "send", text })));
    expect(rendered?.warnings).toEqual([
      'The file "x.json" is not sent: write its messages into the request',
    ]);
  });

  test("a body of curl in pieces is sent as messages, but for its files", () => {
    const [draft] = parseRequests("curl ws://a.test/ -X WEBSOCKET --data-binary one -d @x.json");
    const rendered = draft && renderRequest(draft, new Map());
    expect(rendered?.messages).toEqual([{ kind: "send", text: "one&" }]);
    expect(rendered?.warnings).toEqual([
      'The file "x.json" is not sent: write its messages into the request',
    ]);
  });

  test("an unknown name in a message is an error with its position", () => {
    expect(() => stepsOf("one\n===\n{{nope}}")).toThrow(/nope/);
  });

  test("the URL keeps its scheme, and the body lists all messages", () => {
    const [draft] = parseRequests("WS wss://a.test/x\nX-A: 1\n\none\n===\ntwo");
    expect(draft && renderRequest(draft, new Map())).toMatchObject({
      method: "WS",
      url: "wss://a.test/x",
      headers: [["X-A", "1"]],
      body: "one\n===\ntwo",
      added: [],
      warnings: [],
    });
  });
});
