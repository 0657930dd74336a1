import { shorten } from "../interpolation/mod.ts";
import { createSecretStore, HIDDEN } from "../secrets/mod.ts";
import {
  comparable,
  compareBodies,
  matches,
  textOfRecorded,
  toPattern,
  toUrlPattern,
  type WantedRequest,
  withoutVarying,
} from "./match.ts";
import type { RecordedEntry } from "./read-har.ts";

/** What differs between a recorded request and another one, and how much that is. */
interface Difference {
  readonly weight: number;
  readonly text: string;
}

const MOST = 3;
/** Above this size of a body only its beginning is compared, for a message. */
const LONGEST = 1_000_000;
/** By the default names: the secrets in a recording of someone else are not known. */
const { isSecretName } = createSecretStore();

/** The recorded requests that are nearest to a request, with what differs, one on a line. */
export function describeNearest(entries: readonly RecordedEntry[], request: WantedRequest): string {
  const lines = new Set<string>();
  const ranked = entries
    .map((entry) => ({ entry, differences: headDifferences(entry, request) }))
    .sort((a, b) => weightOf(a.differences) - weightOf(b.differences));
  for (const { entry, differences } of ranked) {
    if (lines.size === MOST) break;
    const all = [...differences, ...bodyDifferences(entry, request)].map(({ text }) => text);
    lines.add(`\n  ${entry.method} ${entry.url}: ${all.join("; ")}`);
  }
  return [...lines].join("");
}

function weightOf(differences: readonly Difference[]): number {
  return differences.reduce((sum, { weight }) => sum + weight, 0);
}

function headDifferences(
  { method, url }: RecordedEntry,
  request: WantedRequest,
): readonly Difference[] {
  const differences: Difference[] = [];
  const add = (weight: number, text: string): void => void differences.push({ weight, text });
  if (method !== request.method.toUpperCase()) add(4, `its method is ${method}`);
  const recorded = splitUrl(url);
  const wanted = splitUrl(request.url);
  if (!isAlike(recorded.origin, wanted.origin)) add(8, `its origin is ${recorded.origin}`);
  if (!isAlike(recorded.path, wanted.path)) {
    add(2 + differingSegments(recorded.path, wanted.path), `its path is ${recorded.path}`);
  }
  const names = new Set([...recorded.query.keys(), ...wanted.query.keys()]);
  for (const name of names) {
    const [own, other] = [recorded.query.get(name), wanted.query.get(name)];
    if (own === undefined) add(1, `it has no query parameter "${name}"`);
    else if (other === undefined) add(1, `it has the query parameter "${name}"`);
    else if (!isAlike(own, other)) add(1, `its query parameter "${name}" is ${quote(name, own)}`);
  }
  return differences;
}

/** Without the URL parser, which would change what is masked. */
function splitUrl(url: string): {
  readonly origin: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
} {
  const plain = toUrlPattern(url).join(HIDDEN);
  const [, origin = "", path = "", query = ""] =
    /^([a-z][a-z\d+.-]*:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(plain) ?? [];
  return { origin, path, query: new Map(new URLSearchParams(query)) };
}

function differingSegments(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const count = a.filter((segment, index) => segment !== b[index]).length;
  let alike = 0;
  while (alike < one.length && one[alike] === other[alike]) alike++;
  // Among equals, the one that begins alike for longer.
  return count + Math.abs(a.length - b.length) - alike / Math.max(one.length, other.length, 1);
}

function isAlike(recorded: string, wanted: string): boolean {
  return matches(toPattern(withoutVarying(recorded)), withoutVarying(wanted));
}

function bodyDifferences({ body }: RecordedEntry, request: WantedRequest): readonly Difference[] {
  const text = comparable(request.body, request.contentType);
  if (compareBodies(body, text) !== undefined) return [];
  const differ = (what: string): readonly Difference[] => [{ weight: 1, text: what }];
  const own = textOfRecorded(body);
  if (own === "") return differ("it has no body");
  if (text === "") return differ("it has a body");
  const member = own.length + text.length > LONGEST ? undefined : firstJsonDifference(own, text);
  if (member !== undefined) return differ(member);
  let at = 0;
  while (own[at] === text[at]) at++;
  return differ(`its body differs from character ${at + 1} on`);
}

/** The first member of two JSON bodies that differs; `undefined` if one of them is not JSON. */
function firstJsonDifference(own: string, other: string): string | undefined {
  try {
    return compareValues(JSON.parse(own), JSON.parse(other), "$");
  } catch {
    // Not JSON, or nested too deeply.
    return undefined;
  }
}

function compareValues(own: unknown, other: unknown, path: string): string | undefined {
  if (!isObject(own) || !isObject(other) || Array.isArray(own) !== Array.isArray(other)) {
    const [one, two] = [JSON.stringify(own), JSON.stringify(other)];
    if (isAlike(one, two)) return undefined;
    return `${path} of its body is ${quote(path, shorten(one))}, not ${quote(path, shorten(two))}`;
  }
  for (const name of new Set([...Object.keys(own), ...Object.keys(other)])) {
    const inner = Array.isArray(own) ? `${path}[${name}]` : `${path}.${name}`;
    if (!Object.hasOwn(other, name)) return `its body has ${inner}`;
    if (!Object.hasOwn(own, name)) return `its body has no ${inner}`;
    const found = compareValues(own[name], other[name], inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** @param path The name of the value, or its path. */
function quote(path: string, value: string): string {
  return path.split(/[.[\]]/).some((name) => isSecretName(name)) ? HIDDEN : value;
}
