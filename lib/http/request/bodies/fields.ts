/** What a field of a form or of a query can hold; a list is the field several times. */
export type FieldValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | bigint | boolean | Date)[];

/** Fields by name, or as pairs, where a name may stand more than once; `URLSearchParams` is one. */
export type Fields =
  | { readonly [name: string]: FieldValue }
  | Iterable<readonly [name: string, value: FieldValue]>;

/**
 * Encodes fields as `application/x-www-form-urlencoded`, as the URL standard has it.
 *
 * @throws {TypeError} A field holds an object.
 */
export function encodeFields(fields: Fields, option: string): string {
  return new URLSearchParams(pairsOf(fields, option)).toString();
}

/**
 * Adds fields to the query of a URL, behind what it has. A blank is `%20`, which every server
 * reads; a plus sign is one only for those that read forms.
 *
 * @throws {TypeError} A field holds an object.
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

function pairsOf(fields: Fields, option: string): [string, string][] {
  const entries: Iterable<readonly [string, FieldValue]> =
    Symbol.iterator in fields
      ? (fields as Iterable<readonly [string, FieldValue]>)
      : Object.entries(fields);
  return Array.from(entries).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, string][] =>
      one === undefined || one === null ? [] : [[name, textOf(one, name, option)]],
    ),
  );
}

function textOf(value: unknown, name: string, option: string): string {
  if (value instanceof Date) return value.toISOString();
  // A number that keeps its digits shows them by its own toString.
  if (typeof value !== "object" || (value !== null && "isLosslessNumber" in value)) {
    return String(value);
  }
  throw new TypeError(
    `Cannot encode the field "${name}" of ${option}: it holds an object; give text, or JSON.stringify it`,
  );
}
