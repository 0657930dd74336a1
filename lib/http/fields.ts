import { isNumberText, writtenEntries } from "../interpolation/mod.ts";

/** The value of a field in a form or a query; a list repeats the field. */
export type FieldValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | bigint | boolean | Date)[];

/** Fields by name, or as pairs if a name occurs more than once, as in `URLSearchParams`. */
export type Fields =
  | { readonly [name: string]: FieldValue }
  | Iterable<readonly [name: string, value: FieldValue]>;

/**
 * Encodes fields as `application/x-www-form-urlencoded` (URL Standard, section 5).
 *
 * @param option The option that the fields are from, for the error message.
 * @throws {TypeError} A field is an object.
 */
export function encodeFields(fields: Fields, option: string): string {
  return new URLSearchParams(pairsOf(fields, option)).toString();
}

/**
 * Appends fields to the query of a URL. A space becomes `%20`, which every server decodes; not every
 * server decodes a plus sign in a query.
 *
 * @throws {TypeError} A field is an object.
 */
export function withQuery(url: string, fields: Fields): string {
  const query = pairsOf(fields, "query")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  if (query === "") return url;
  const at = url.indexOf("#");
  const [target, hash] = at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at)];
  const join = !target.includes("?") ? "?" : /[?&]$/.test(target) ? "" : "&";
  return `${target}${join}${query}${hash}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The fields as pairs of texts. */
export function pairsOf(fields: Fields, option: string): [string, string][] {
  const entries: Iterable<readonly [string, FieldValue]> =
    Symbol.iterator in fields
      ? (fields as Iterable<readonly [string, FieldValue]>)
      : writtenEntries(fields as Readonly<Record<string, FieldValue>>);
  return Array.from(entries).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, string][] =>
      one === undefined || one === null ? [] : [[name, textOf(one, name, option)]],
    ),
  );
}

function textOf(value: NonNullable<FieldValue>, name: string, option: string): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || isNumberText(value)) return String(value);
  throw new TypeError(
    `Cannot encode the field "${name}" of ${option}: it is an object; use text, or JSON.stringify it`,
  );
}
