import type { SentCase } from "./sent-case.ts";

const text = (body: string, type = "multipart/form-data; boundary=b"): string =>
  `POST {{server}}/m\nContent-Type: ${type}\n\n${body}`;

/** The bytes of a body: those after the blank line, to the last one. */
const bytes = (body: string): string => `\r\n\r\n${body.replaceAll("\n", "\r\n")}`;

const A = 'Content-Disposition: form-data; name="a"';
const FILE = 'Content-Disposition: form-data; name="a"; filename="f.txt"';
const HELLO = bytes(`--b\n${A}\n\nhello\n--b--\n`);
const ADDED = 'A blank line was added above "hello", where the content of a part begins';
const CLOSED = 'The last line "--b--" is missing, and was added';

const NOTE = { note: 'say "hi"\nnow', doc: { a: [1] }, json: "application/json" };
const SAID = '"say \\"hi\\"\\nnow"';

/** A part of a type, and what is sent of it, with the lines of an object ending in LF. */
const typed = (type: string, content: string, sent: string): SentCase => ({
  text: text(`--b\n${A}\n${type}\n\n${content}\n--b\n${A}\n\n"{{note}}"\n--b--`),
  values: NOTE,
  files: { "./f": '{"f": "{{note}}", "d": {{doc}}}' },
  sends: `\r\n\r\n${sent}\r\n--b\r\n${A}\r\n\r\n"say "hi"\nnow"\r\n--b--\r\n`,
});

const WHOLE = '{\n  "a": [\n    1\n  ]\n}';

/** A head of a part, and the fault of a value in it. */
const refused = (head: string, v: string, says: string): SentCase => ({
  text: text(`--b\n${head}\n\nhello\n--b--`),
  values: { v },
  says: [says],
});

/** The headers of a part, and what is sent of them. */
const named = (head: string, v: string, sent: string): SentCase => ({
  text: text(`--b\n${head}\n\nhello\n--b--`),
  values: { v },
  sends: bytes(`--b\n${sent}\n\nhello\n--b--\n`),
});

const HEAD = "Content-Disposition: form-data; name=";

/** Multipart bodies: complete ones, those that are sent with what they lack, and those that are not sent. */
export const MULTIPART: readonly SentCase[] = [
  ...["", "\n", "\n\n\n"].map(
    (end): SentCase => ({ text: text(`--b\n${A}\n\nhello\n--b--${end}`), sends: HELLO }),
  ),
  { text: text(`--b\r\n${A}\r\n\r\nhello\r\n--b--\r\n`), sends: HELLO },
  { text: text(`--b\n${A}\nhello\n--b--`), sends: HELLO, says: [ADDED] },
  {
    text: text(`--b\n${A}\nContent-Type: application/json\n{"a": 1}\n--b--`),
    sends: bytes(`--b\n${A}\nContent-Type: application/json\n\n{"a": 1}\n--b--\n`),
    says: ['A blank line was added above "{"a": 1}"'],
  },
  {
    text: text(`--b\n${FILE}\n< ./f.txt\n--b--`),
    files: { "./f.txt": "FILE\n" },
    sends: `f.txt"\r\n\r\nFILE\n\r\n--b--\r\n`,
    says: ['A blank line was added above "< ./f.txt"'],
  },
  {
    text: text(`--b\n${A}\n{{v}}\n--b--`),
    values: { v: "hello" },
    sends: HELLO,
    says: ['A blank line was added above "its first line"'],
  },
  {
    text: text(`--b\n${A}\nhello world\n\nmore\n--b--`),
    sends: bytes(`--b\n${A}\n\nhello world\n\nmore\n--b--\n`),
    says: ['A blank line was added above "hello world"'],
  },
  { text: text("--b\nhello\n--b--"), sends: bytes("--b\n\nhello\n--b--\n"), says: [ADDED] },
  {
    text: text(`--b\n${A}\n--b--`),
    sends: bytes(`--b\n${A}\n\n\n--b--\n`),
    says: ["A blank line was added below the headers of a part, which has no content"],
  },
  { text: text(`--b\n${A}\n\n--b--`), sends: bytes(`--b\n${A}\n\n\n--b--\n`) },
  { text: text(`--b\n${A}\n\nhello`), sends: HELLO, says: [CLOSED] },
  {
    text: text(`--b\n${A}\n\nhello\n--b`),
    sends: HELLO,
    says: ['The last line "--b" was sent as "--b--", which ends the body'],
  },
  {
    text: text(`--b\n${A}\n\nhello\n--b\n${A}\nworld`),
    sends: bytes(`--b\n${A}\n\nhello\n--b\n${A}\n\nworld\n--b--\n`),
    says: ['A blank line was added above "world"', CLOSED],
  },
  {
    text: text(`--b\n${A}\n\nhello\n--b--\ntrailing`),
    sends: bytes(`--b\n${A}\n\nhello\n--b--\ntrailing\n`),
    says: ['The text below "--b--" is in no part'],
  },
  {
    text: text(`--b\n${A}\nX-Note: one\n\nhello\n--b--`),
    sends: bytes(`--b\n${A}\nX-Note: one\n\nhello\n--b--\n`),
  },
  {
    text: text(`--b\n${A};\n filename="c"\n\nhello\n--b--`),
    sends: bytes(`--b\n${A};\n filename="c"\n\nhello\n--b--\n`),
  },
  {
    text: text(`--b\n${A}\n\nhello\n--b--`, "multipart/form-data"),
    sends: ["Content-Type: multipart/form-data; boundary=b\r\n", HELLO],
    says: ['The Content-Type "multipart/form-data" has no boundary: "boundary=b" was added'],
  },
  {
    text: text(`\n--b\n${A}\n\nhello\n--b`, "multipart/form-data;"),
    sends: ["Content-Type: multipart/form-data; boundary=b\r\n", HELLO],
    says: ["has no boundary", 'The last line "--b" was sent as "--b--"'],
  },
  {
    text: text(`--{{b}}\n${A}\n\nhello\n--{{b}}--`, 'multipart/form-data; boundary="{{b}}"; a=b'),
    values: { b: "b" },
    sends: HELLO,
  },
  {
    text: text(`--b\n${A}\nhello: world\n--b--`),
    says: ['Cannot tell whether "hello: world" is a header of the part or its content'],
  },
  {
    text: text(`--b\n${A}\n\nhello\n--bc--`),
    says: ['The line "--bc--" begins like the boundary "--b"'],
  },
  {
    text: text(`--b\n${A}\n\nhello\n--b--\n${A}\n\nworld\n--b--`),
    says: ['The line "--b--" ends the body, but parts follow it'],
  },
  {
    text: text(`--c\n${A}\n\nhello\n--c--`),
    says: ['The body has no line "--b", so that no server can read its parts'],
  },
  {
    text: text(`${A}\n\nhello`, "multipart/form-data"),
    says: ['The Content-Type "multipart/form-data" has no boundary'],
  },
  {
    text: text(`--b\n${A}\n\n{{v}}\n--b--`),
    values: { v: `x\n--b\n${A}\n\ny` },
    says: ['The value of {{v}} has a line that begins with the boundary "--b"'],
  },
  {
    text: text(`--b\n${A}\n\n{{v}}\n--b--`),
    values: { v: "x\n-- b\na--b" },
    sends: "\r\n\r\nx\n-- b\na--b\r\n--b--\r\n",
  },
  ...[
    "Content-Type: application/json",
    "content-type: application/ld+json; charset=utf-8",
    "Content-ID: 1\nContent-Type: {{json}}",
  ].flatMap((type) => [
    typed(type, '{"n": "{{note}}"}', `{"n": ${SAID}}`),
    typed(type, "{{doc}}", WHOLE),
    typed(type, '["\\"{{note}}", {{doc.a[0]}}]', `["\\"${SAID.slice(1, -1)}", 1]`),
    typed(type, "<@ ./f", `{"f": ${SAID}, "d": ${WHOLE}}`),
    typed(type, "< ./f", '{"f": "{{note}}", "d": {{doc}}}'),
  ]),
  typed("Content-Type: application/x-ndjson", '{{doc}}\n"{{note}}"', `{"a":[1]}\r\n${SAID}`),
  typed("Content-Type: application/jsonl", "<@ ./f", `{"f": ${SAID}, "d": {"a":[1]}}`),
  typed("Content-Type: text/csv", '{{doc}},"{{note}}"', '{"a":[1]},"say "hi"\nnow"'),
  typed("Content-Type: text/plain", '"{{note}}"', '"say "hi"\nnow"'),
  typed("X-Type: application/json", '"{{note}}"', '"say "hi"\nnow"'),
  {
    text: `curl {{server}}/m -F 'm={"n": "{{note}}", "d": {{doc.a[0]}}};type=application/json' -F 'p=a"{{note}}"'`,
    values: NOTE,
    sends: [`\r\n\r\n{"n": ${SAID}, "d": 1}\r\n--`, `\r\n\r\na"say "hi"\nnow"\r\n--`],
  },
  named(`${HEAD}"{{v}}"`, 'x"; y="z', `${HEAD}"x%22; y=%22z"`),
  named(`${HEAD}"{{v}}"; filename="a-{{v}}.txt"`, '"', `${HEAD}"%22"; filename="a-%22.txt"`),
  named(`${HEAD}"a";\n filename="{{v}}"`, "a\r\nb", `${HEAD}"a";\n filename="a%0D%0Ab"`),
  named(`${HEAD}a; filename*=UTF-8''{{%v}}`, "é\n", `${HEAD}a; filename*=UTF-8''%C3%A9%0A`),
  named(`${HEAD}"a"\nX-Note: "{{v}}"`, 'a "b"\tc', `${HEAD}"a"\nX-Note: "a "b"\tc"`),
  refused(`${HEAD}{{v}}`, "a\r\nX: 1", 'Cannot render the header "Content-Disposition" of a part'),
  refused(
    `${A}\nX-Note: {{v}}`,
    "a\nb",
    'the header "X-Note" of a part: its value contains a line f',
  ),
  refused(`${A}\nContent-Type: {{v}}`, "text/plain\r\n\r\nx", '"Content-Type" of a part'),
  refused(`${A}\nX-Note: "{{v}}"`, "a\0", "contains a NUL character. It would end the header"),
];
