import type { ShapeFormat } from "./shape.ts";

const IPV4_PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const DATE = "\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])";
const TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)";

/** No pattern repeats a group that can match the same text in two ways: the strings are a server's. */
const PATTERNS: readonly (readonly [ShapeFormat, RegExp])[] = [
  ["date-time", new RegExp(`^${DATE}[Tt ]${TIME}$`)],
  ["date", new RegExp(`^${DATE}$`)],
  ["time", new RegExp(`^${TIME}$`)],
  ["uuid", /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ["email", /^[^\s@"(),:;<>[\\\]]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i],
  ["ipv4", new RegExp(`^${IPV4_PART}(?:\\.${IPV4_PART}){3}$`)],
  ["ipv6", /^(?=.*:.*:)[\da-f:]{2,39}$/i],
];

/** Texts and media types have no format, and a format of a long text would be chance. */
const LONGEST = 2_048;

/**
 * The format of a string, named as in JSON Schema
 * (https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3).
 *
 * @returns The format, or `undefined` for a string of none.
 */
export function formatOf(text: string): ShapeFormat | undefined {
  if (text.length > LONGEST) return undefined;
  const found = PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
  if (found !== undefined) return found;
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/]/i.test(text) && URL.canParse(text) ? "uri" : undefined;
}
