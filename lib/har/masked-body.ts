import {
  decodeText,
  holdSecret,
  JSON_LINES,
  parseMediaType,
  parseWrittenJson,
  toBase64,
  toStrictText,
} from "../exchange/mod.ts";
import { renderJson, type Value } from "../interpolation/mod.ts";
import { type Masker, type Masking, maskValue } from "../secrets/mod.ts";

/** A body without secrets, as text or base64; without `text` if it cannot be masked. */
export interface MaskedBody {
  readonly text?: string;
  readonly encoding?: "base64";
  readonly comment?: string;
}

const TEXTUAL = /^text\/|json|xml|javascript|ecmascript|urlencoded|yaml|graphql/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Masks a body for a file. A replay gets the same bytes, except for secrets. */
export function maskBodyForFile(
  body: string | Uint8Array,
  contentType: string | undefined,
  masking: Masking,
  masker: Masker,
): MaskedBody {
  const { essence, charset } = parseMediaType(contentType ?? null);
  const mask = (text: string): string => maskText(text, essence, masking, masker);
  if (typeof body === "string") return { text: mask(body) };
  const strict = toStrictText(body);
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset);
  if (strict !== undefined && (isUtf8 || ASCII.test(strict))) {
    return { text: mask(strict) };
  }
  if (TEXTUAL.test(essence)) {
    const { text } = decodeText(body, charset);
    const masked = mask(text);
    if (masked !== text) return { text: masked };
  }
  if (holdSecret(body, (text) => masking.mask(text))) {
    return { comment: "The body was not recorded: it contains a secret" };
  }
  return { text: toBase64(body), encoding: "base64" };
}

/** A placeholder in place of a number would make JSON unreadable: then its values are masked one by one. */
function maskText(text: string, essence: string, masking: Masking, masker: Masker): string {
  if (JSON_LINES.test(essence)) {
    const lines = text.split("\n");
    return lines.map((line) => maskText(line, "application/json", masking, masker)).join("\n");
  }
  const masked = masker.body(text, essence);
  if (masked === text || isJson(masked) || !isJson(text)) return masked;
  return renderJson(maskValue(parseWrittenJson(text), masking, masker) as Value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
