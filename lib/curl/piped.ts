import { escapeBraces } from "../interpolation/mod.ts";
import { fromBytes, toBytes } from "./bytes.ts";
import type { Report } from "./words.ts";

/** Bytes up to this number are written as a format of `printf`, more of them in Base64. */
const FORMAT_LIMIT = 256;

/**
 * Writes a body as the command before `| curl … --data-binary @-`: an argument has no NUL and a limited length, and in
 * a POSIX shell no escapes, which a format of `printf` has.
 *
 * @param body Bytes, or a template: double braces that are not a placeholder are escaped.
 */
export function writePiped(body: string | Uint8Array): string {
  if (typeof body === "string") {
    return `printf '${body.split("\\{{").map(escapeFormat).join("{\\173")}' | `;
  }
  if (body.length > FORMAT_LIMIT) return `printf %s '${toBase64(body)}' | base64 -d | `;
  return `printf '${escapeFormat(fromBytes(body)).replaceAll("{{", "{\\173")}' | `;
}

const NAMED: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
  "%": "%%",
};

/** A hyphen at the beginning would be an option. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are escaped
const ESCAPED = /^-|[\0-\x1f'\\%\x7f]|[\udc80-\udcff]/gu;

function escapeFormat(text: string): string {
  return text.replace(ESCAPED, (sign) => {
    const octal = (sign.charCodeAt(0) & 0xff).toString(8).padStart(3, "0");
    return NAMED[sign] ?? `\\${octal}`;
  });
}

/** What stands before a curl command that reads a body from it. */
export const PIPED: string = String.raw`printf (?:'[^'\r\n]*' \| |%s '[A-Za-z\d+/=]*' \| base64 -d \| )`;

const WRITTEN = /printf (?:'([^'\r\n]*)' \| |%s '([A-Za-z\d+/=]*)' \| base64 -d \| )/y;

/** The standard input of a curl command, if it is written before it. */
interface Piped {
  /** A template, possibly with bytes. */
  readonly input: string | undefined;
  /** The offset of the command. */
  readonly next: number;
}

/** Reads what {@link writePiped} writes. */
export function readPiped(source: string, start: number, report: Report): Piped {
  WRITTEN.lastIndex = start;
  const found = WRITTEN.exec(source);
  if (found === null) return { input: undefined, next: start };
  const [whole, format, base64] = found;
  const next = start + whole.length;
  const input = format === undefined ? fromBase64(base64 ?? "") : readFormat(format);
  if (input === undefined) {
    const hint = "Write bytes as \\ and three octal digits, and % as %%";
    report({ start, end: next }, "The text of printf cannot be read", hint);
  }
  return { input: input ?? "", next };
}

/** A brace in octal after another begins no placeholder. */
function readFormat(format: string): string | undefined {
  const bytes: number[] = [];
  const token = /\\([0-7]{1,3})|\\([nrt\\])|%(%)|([^\\%]+)/y;
  while (token.lastIndex < format.length) {
    const found = token.exec(format);
    if (found === null) return undefined;
    const [whole, octal, named, percent, plain] = found;
    if (octal !== undefined) {
      const byte = Number.parseInt(octal, 8) & 0xff;
      if (byte === 0x7b && bytes.at(-1) === 0x7b) bytes.splice(-1, 0, 0x5c);
      bytes.push(byte);
      continue;
    }
    const sign = Object.keys(NAMED).find((it) => named !== undefined && NAMED[it] === whole);
    for (const byte of toBytes(sign ?? percent ?? plain ?? "")) bytes.push(byte);
  }
  return fromBytes(Uint8Array.from(bytes));
}

function fromBase64(text: string): string | undefined {
  try {
    return escapeBraces(fromBytes(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))));
  } catch {
    // A DOMException: it is not Base64.
    return undefined;
  }
}

/** Encodes bytes in Base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // In pieces, since the number of arguments of a call is limited.
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8192)));
  }
  return btoa(pieces.join(""));
}
