import type { SentCase } from "./sent-case.ts";

/** What other tools write, and what stands behind a request. */
export const DIALECTS: readonly SentCase[] = [
  {
    text: "# @injectVariables\nPOST {{server}}/a\nContent-Type: text/plain\n\n< ./f.txt",
    values: { x: 1 },
    files: { "./f.txt": "v={{x}}" },
    sends: "\r\n\r\nv=1",
  },
  {
    text: "@body = a\\nb\nPOST {{server}}/a\nContent-Type: text/plain\n\n{{body}}",
    sends: "\r\n\r\na\nb",
  },
  { text: "GET {{server}}/a?x=\\{\\{x\\}\\}", sends: "GET /a?x={{x}} HTTP" },
  {
    text: "GET {{server}}/a\nX-A: {{ }}{{1}}",
    sends: "X-A: {{ }}{{1}}\r\n",
    says: ['"{{ }}" is sent as it is written', '"{{1}}" is sent as it is written'],
  },
  {
    text: "POST {{server}}/a\nContent-Type: application/x-www-form-urlencoded\n\ncity=New York&x=1",
    sends: "\r\n\r\ncity=New%20York&x=1",
  },
  {
    text: '@o = {"3": 25.00, "1": 1E13, "x": -0.0}\nPOST {{server}}/a\n\n{"o": {{o}}}',
    sends: '{"o": {\n  "3": 25.00,\n  "1": 1E13,\n  "x": -0.0\n}}',
  },
  {
    text: 'POST {{server}}/a\nContent-Type: application/json\n\n{"a": 1}\n// note\n\nHTTP/1.1 400 Bad Request\nContent-Type: application/json\n\n{"e": 1}\n',
    sends: 'Content-Length: 8\r\n\r\n{"a": 1}',
  },
  {
    text: "POST {{server}}/a\n\n< ./f.txt\n\nHTTP/1.1 200 OK\n\nyes",
    files: { "./f.txt": "file" },
    sends: "Content-Length: 4\r\n\r\nfile",
  },
  ...["DELETE {{server}}/a", "POST {{server}}/a\n\n< ./f.txt", 'POST {{server}}/a\n\n{"a": 1}'].map(
    (first): SentCase => ({
      text: `${first}\n\nPATCH {{server}}/b\nContent-Type: application/json\n\n{"b": 2}`,
      files: { "./f.txt": "file" },
      sends: ["/a HTTP", "PATCH /b HTTP/1.1\r\n", '\r\n\r\n{"b": 2}'],
      says: ["begins another request, with no line"],
    }),
  ),
];
