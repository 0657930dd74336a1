import type { SentCase } from "./sent-case.ts";

const text = (type: string, body: string): string =>
  `POST {{server}}/a\nContent-Type: ${type}\n\n${body}`;

/** The end of the headers and all of the body, as bytes. */
const bytes = (...body: readonly (string | readonly number[])[]): string =>
  `Content-Length: ${body.flatMap((one) => [...one]).length}\r\n\r\n${body.map((one) => (typeof one === "string" ? one : String.fromCharCode(...one))).join("")}`;

const LINES = '{"a":1}\n{"a":2}\n';

const DOC = { doc: { t: 'say "hi"\nnow', n: [1, { b: null }] } };
const SAID = '"say \\"hi\\"\\nnow"';
const LINE = `{"t":${SAID},"n":[1,{"b":null}]}`;

/** The ends of bodies and of their lines, values in lines, and charsets. */
export const BODIES: readonly SentCase[] = [
  ...[
    "application/x-ndjson",
    "application/ndjson; charset=utf-8",
    "application/jsonl",
    "application/x-jsonlines",
    "text/csv",
    "text/tab-separated-values",
    "text/event-stream",
  ].flatMap((type): SentCase[] => [
    { text: text(type, LINES), sends: bytes(LINES) },
    { text: text(type, LINES.trimEnd()), sends: bytes(LINES) },
    { text: text(type, `${LINES}\n\n###\n`), sends: bytes(LINES) },
    { text: text(type, "a, \t\nb  \n"), sends: bytes("a, \t\nb  \n") },
    { text: text(type, "a\r\nb\r\n"), sends: bytes("a\r\nb\r\n") },
    { text: text(type, "a\n{{v}}"), values: { v: "b\n" }, sends: bytes("a\nb\n") },
  ]),
  ...[
    "application/x-ndjson",
    "Application/NDJSON; charset=utf-8",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-seq",
    "application/geo+json-seq",
    "application/vnd.elasticsearch+x-ndjson;compatible-with=8",
    "text/x-ndjson",
  ].flatMap((type): SentCase[] => [
    { text: text(type, '{"a": 1}\n{{doc}}'), values: DOC, sends: bytes(`{"a": 1}\n${LINE}\n`) },
    { text: text(type, '  {"d": {{doc}}}'), values: DOC, sends: bytes(`  {"d": ${LINE}}\n`) },
    { text: text(type, '{"t": "{{doc.t}}"}\n"'), values: DOC, sends: bytes(`{"t": ${SAID}}\n"\n`) },
    {
      text: text(type, "{{doc.t}}\n< ./f\n<@ ./f"),
      values: DOC,
      files: { "./f": '{{doc}}"{{doc.t}}"' },
      sends: bytes(`say "hi"\nnow\n{{doc}}"{{doc.t}}"\n${LINE}${SAID}`),
    },
    {
      text: text(type, "<@ ./f"),
      values: DOC,
      files: { "./f": '{{doc}}\n"{{doc.t}}"\n' },
      sends: bytes(`${LINE}\n${SAID}\n`),
    },
  ]),
  ...["text/csv", "text/event-stream; charset=utf-8"].map(
    (type): SentCase => ({
      text: text(type, 'data: {{doc}} "{{doc.t}}"'),
      values: DOC,
      sends: bytes(`data: ${LINE} "say "hi"\nnow"\n`),
    }),
  ),
  ...["\nContent-Type: application/json", ""].flatMap((type): SentCase[] => [
    {
      text: `POST {{server}}/_bulk${type}\n\n{"index": {}}\n{{doc}}`,
      values: DOC,
      sends: bytes(`{"index": {}}\n${LINE}\n`),
    },
    {
      text: `POST {{server}}/_msearch${type}\n\n<@ ./f`,
      values: DOC,
      files: { "./f": '{}\n{"d": {{doc}}, "t": "{{doc.t}}"}\n' },
      sends: bytes(`{}\n{"d": ${LINE}, "t": ${SAID}}\n`),
    },
  ]),
  { text: text("{{t}}", "a"), values: { t: "text/csv" }, sends: bytes("a\n") },
  ...["/_bulk", "/index/_bulk?refresh", "/_msearch"].map(
    (path): SentCase => ({
      text: `POST {{server}}${path}\nContent-Type: application/json\n\n{"index": {}}\n{"a": "{{v}}"}\n`,
      values: { v: 'q"' },
      sends: bytes('{"index": {}}\n{"a": "q\\""}\n'),
    }),
  ),
  {
    text: `POST {{server}}/_bulky\nContent-Type: application/json\n\n{}\n{}`,
    sends: bytes("{}\n{}"),
    says: ['The JSON body is not valid: expected the end, found "{"'],
  },
  { text: text("text/plain", "a  \nb \t\n\n \n"), sends: bytes("a  \nb \t") },
  { text: text("text/plain", "  a\n\nb"), sends: bytes("  a\n\nb") },
  { text: text("application/json", '{"a": 1}  \n'), sends: bytes('{"a": 1}  ') },
  { text: text("application/x-www-form-urlencoded", "a=1  \n"), sends: bytes("a=1") },

  { text: text("text/plain; charset=iso-8859-1", "café"), sends: bytes("caf", [0xe9]) },
  { text: text('text/plain; charset="Latin1"', "café"), sends: bytes("caf", [0xe9]) },
  { text: text("text/plain; charset=windows-1252", "€ é"), sends: bytes([0x80, 0x20, 0xe9]) },
  { text: text("text/plain; charset=windows-1251", "Дa"), sends: bytes([0xc4, 0x61]) },
  { text: text("text/plain; charset=iso-8859-15", "€"), sends: bytes([0xa4]) },
  { text: text("text/plain; charset=utf-8", "é"), sends: bytes([0xc3, 0xa9]) },
  { text: text("text/plain; charset=utf-16le", "a€"), sends: bytes([0x61, 0, 0xac, 0x20]) },
  { text: text("text/plain; charset=utf-16be", "a€"), sends: bytes([0, 0x61, 0x20, 0xac]) },
  { text: text("text/plain; charset=utf-16", "a"), sends: bytes([0xff, 0xfe, 0x61, 0]) },
  { text: text("text/plain; charset=shift_jis", "abc"), sends: bytes("abc") },
  { text: text("text/plain; charset=nobody", "abc"), sends: bytes("abc") },
  {
    text: text("application/json; charset=iso-8859-1", '{"a": "{{v}}"}'),
    values: { v: "é" },
    sends: bytes('{"a": "', [0xe9], '"}'),
  },
  {
    text: text("text/plain; charset={{c}}", "é\n< ./f.txt"),
    values: { c: "latin1" },
    files: { "./f.txt": "file" },
    sends: bytes([0xe9], "\nfile"),
  },
  {
    text: text("text/plain; charset=latin1", "<@ ./f.txt"),
    values: { v: "é" },
    files: { "./f.txt": "{{v}}" },
    sends: bytes([0xe9]),
  },
  {
    text: `POST {{server}}/a\nContent-Type: text/plain; charset=latin1\nContent-Length: 1\n\né`,
    sends: bytes([0xe9]),
  },
  {
    text: "curl -H 'Content-Type: text/plain; charset=latin1' -d 'é€' {{server}}/a",
    sends: bytes([0xc3, 0xa9, 0xe2, 0x82, 0xac]),
  },
  {
    text: text("text/plain; charset=iso-8859-1", "café €"),
    says: ['Cannot encode the body in the charset "iso-8859-1" of its Content-Type: it has no "€"'],
  },
  {
    text: text("text/plain; charset=windows-1252", "a {{v}}"),
    values: { v: "中" },
    says: ['it has no "中" (U+4E2D)'],
  },
  { text: text("text/plain; charset=us-ascii", "é"), says: ['it has no "é" (U+00E9)'] },
  { text: text("text/plain; charset=shift_jis", "日本"), says: ['it has no "日" (U+65E5)'] },
  { text: text("text/plain; charset=nobody", "é"), says: ['it has no "é" (U+00E9)'] },
];
