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
];
