/** A text as UTF-8 in base64, worked out with Node alone: nothing of what is tested. */
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

const percent = (text: string, kept: RegExp): string =>
  [...text]
    .map((character) =>
      kept.test(character)
        ? character
        : [...Buffer.from(character)]
            .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
            .join(""),
    )
    .join("");

const upper = (text: string): string => text.replace(/%[0-9a-f]{2}/g, (form) => form.toUpperCase());

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

const each = (text: string, write: (unit: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index))).join("");

/** Ways to write a text down that tell it to whoever reads them. */
export const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  encodeURIComponent: (text) => encodeURIComponent(text),
  "percent-encoded in lower case": (text) => percent(text, /[A-Za-z0-9._~-]/),
  "percent-encoded in upper case": (text) => upper(percent(text, /[A-Za-z0-9._~-]/)),
  "every character percent-encoded": (text) => upper(percent(text, /$^/)),
  "a query by the URL parser": (text) =>
    new URL(`http://h/?${text.replaceAll("#", "%23")}`).search.slice(1),
  form: (text) => new URLSearchParams([["", text]]).toString().slice(1),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  "JSON in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "JSON, each character escaped": (text) => each(text, (code) => `\\u${hex(code, 4)}`),
  "JSON as .NET writes it": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(
        /\\"|[&'+<>`\u007f-\uffff]/g,
        (c) => `\\u${hex(c.charCodeAt(c.length - 1), 4).toUpperCase()}`,
      ),
  "HTML, each character as a number": (text) =>
    [...text].map((c) => `&#${c.codePointAt(0)};`).join(""),
  "HTML, each character as a hexadecimal number": (text) =>
    [...text].map((c) => `&#x${hex(c.codePointAt(0) ?? 0, 2)};`).join(""),
  "HTML, each character as a number without its semicolon": (text) =>
    [...text].map((c) => `&#${c.codePointAt(0)}`).join(""),
  "JavaScript, each byte escaped": (text) =>
    [...Buffer.from(text)].map((byte) => `\\x${hex(byte, 2)}`).join(""),
  "JavaScript, each code point escaped": (text) =>
    [...text].map((c) => `\\u{${hex(c.codePointAt(0) ?? 0, 1)}}`).join(""),
  "percent-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "every character percent-encoded twice": (text) => percent(text, /$^/).replaceAll("%", "%25"),
  "some characters percent-encoded": (text) => percent(text, /[^aeiou+%"]/),
  HTML: (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  "read from a form that it stood in as it is": (text) => text.replaceAll("+", " "),
  base64: base64,
  base64url: (text) => Buffer.from(text).toString("base64url"),
};

const onLines = (text: string, length: number, end: string): string =>
  (text.match(new RegExp(`.{1,${length}}`, "g")) ?? []).join(end);
const AROUND = "what stands around it is rather long, so that its base64 takes several lines";

/** Base64 that has to be decoded: nothing of the secret's own base64 stands in it as a whole. */
export const PACKED: Readonly<Record<string, (text: string) => string>> = {
  "base64 of JSON": (text) => base64(JSON.stringify({ sub: "ada", "an item": text })),
  "the payload of a JWT": (text) =>
    `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ claim: text })).toString("base64url")}.c2ln`,
  "base64 on the lines of a mail": (text) =>
    onLines(base64(`${AROUND} ${text} ${AROUND}`), 76, "\r\n"),
  "base64 on the lines of a key": (text) =>
    `-----BEGIN X-----\n${onLines(base64(AROUND + text), 64, "\n")}\n-----END X-----`,
  "base64 on lines in JSON": (text) =>
    JSON.stringify({ data: onLines(base64(`${AROUND}:${text}`), 60, "\n") }),
};

/** Base64 of a longer text: how much of it the text alone decides. */
export const BASE64_AROUND: Readonly<Record<string, (text: string) => string>> = {
  "base64 of user:secret": (text) => base64(`ada:${text}`),
  "base64 of name:secret": (text) => base64(`grace:${text}`),
  "base64 of x:secret and more": (text) => base64(`xy${text} and more`),
};

/** What of a secret's base64 is the same whatever stands around it, by how many bytes stand before. */
export function base64Cores(text: string): readonly string[] {
  const bytes = Buffer.from(text, "utf8");
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const core = encoded.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    );
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Every spelling that must not be found. */
export function spellingsOf(text: string): readonly string[] {
  const plain = Object.values(SPELLINGS).map((spell) => spell(text));
  return [...new Set([...plain, ...base64Cores(text)])].filter((spelling) => spelling.length >= 6);
}
