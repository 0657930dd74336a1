import {
  decodeText,
  type HeaderList,
  holdSecret,
  JSON_LINES,
  maskHeaders,
  parseMediaType,
  toBase64,
  toStrictText,
} from "../exchange/mod.ts";
import { renderJson, type Value } from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import { type Masker, type Masking, maskValue } from "../secrets/mod.ts";
import type { HarCookie, HarPair } from "./har.ts";

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
  const type = parseMediaType(contentType ?? null);
  const { essence, charset } = type;
  const mask = (text: string): string => maskText(text, essence, masking, masker);
  if (typeof body === "string") return { text: mask(body) };
  const strict = toStrictText(body);
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset);
  if (strict !== undefined && (isUtf8 || ASCII.test(strict))) {
    return { text: mask(strict) };
  }
  if (TEXTUAL.test(essence)) {
    const { text } = decodeText(body, type);
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

/** Headers without secrets, and the cookies in them. */
interface MaskedHeaders {
  readonly headers: readonly HarPair[];
  readonly cookies: readonly HarCookie[];
}

/** The Content-Type as a file has it. */
export function maskedType({ headers }: MaskedHeaders): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === "content-type")?.value;
}

/**
 * Masks headers for a file. Of cookies only the values are hidden, so that a replay sets the same cookies.
 */
export function maskHeadersForFile(
  list: HeaderList,
  masking: Masking,
  masker: Masker,
): MaskedHeaders {
  const cookies: HarCookie[] = [];
  const masked = maskHeaders(list, masker, masking, false);
  for (const [name, value] of masked) {
    const kind = name.toLowerCase();
    const [pair = "", ...others] = value.split("; ");
    if (kind === "cookie") cookies.push(...[pair, ...others].map(toPair));
    if (kind === "set-cookie") cookies.push({ ...toPair(pair), ...readAttributes(others) });
  }
  return { headers: masked.map(([name, value]) => ({ name, value })), cookies };
}

function toPair(pair: string): HarPair {
  const at = pair.indexOf("=");
  return at < 0
    ? { name: "", value: pair }
    : { name: pair.slice(0, at), value: pair.slice(at + 1) };
}

function readAttributes(attributes: readonly string[]): Omit<HarCookie, keyof HarPair> {
  const values = new Map(
    attributes.map(toPair).map(({ name, value }) => [(name || value).toLowerCase(), value]),
  );
  const expires = new Date(values.get("expires") ?? "");
  return {
    path: values.get("path"),
    domain: values.get("domain"),
    expires: Number.isNaN(expires.getTime()) ? undefined : expires.toISOString(),
    httpOnly: values.has("httponly"),
    secure: values.has("secure"),
    sameSite: values.get("samesite"),
  };
}
