import { pathText, shorten } from "../interpolation/mod.ts";
import { compareValues, parseJson } from "../json/mod.ts";
import { beginsAsJson } from "../request/mod.ts";
import {
  bodyText,
  compareBodies,
  compareTexts,
  isMaskedText,
  Lists,
  maskedUrl,
  textOfRecorded,
  toPattern,
  type WantedRequest,
} from "./match.ts";
import type { RecordedEntry } from "./read-har.ts";

/** How many recorded requests of one path are compared: thousands of requests may be missing in a recording. */
const MOST_COMPARED = 100;

/**
 * Describes the recorded request that a request is most like, of the same method and path, and all that differs. Of the
 * request itself, whose secrets are not masked, it has names only, and what the recording has as well.
 *
 * @returns A function that returns `undefined` if there is none.
 */
export function createNearest(
  entries: readonly RecordedEntry[],
): (wanted: WantedRequest) => string | undefined {
  let ofPath: Lists<RecordedEntry> | undefined;
  return (wanted) => {
    if (ofPath === undefined) {
      ofPath = new Lists();
      for (const entry of entries) ofPath.add(pathOf(entry.method, entry.url), entry);
    }
    const alike = ofPath.get(pathOf(wanted.method.toUpperCase(), wanted.url));
    const described = alike.slice(0, MOST_COMPARED).map((entry) => ({
      entry,
      differences: [...differencesOf(entry, wanted)],
    }));
    const [nearest] = described.toSorted(
      (one, other) => one.differences.length - other.differences.length,
    );
    if (nearest === undefined) return undefined;
    const { method, url } = nearest.entry;
    return [`${method} ${url}`, nearest.differences.join(", ")].join(" ").trim();
  };
}

function pathOf(method: string, url: string): string {
  return `${method} ${loosely(partsOf(maskedUrl(url))[1] ?? "")}`;
}

function* differencesOf({ url, body }: RecordedEntry, wanted: WantedRequest): Generator<string> {
  const [origin = "", path = "", query] = partsOf(maskedUrl(url));
  const [otherOrigin = "", otherPath = "", otherQuery] = partsOf(maskedUrl(wanted.url));
  if (!isSame(origin, otherOrigin)) yield "of another server";
  if (!isSame(path, otherPath)) yield "whose path is written otherwise";
  yield* compareQueries(query, otherQuery);
  const text = bodyText(wanted);
  if (compareBodies(body, text) !== undefined) return;
  const own = textOfRecorded(body);
  if (own === "" || text === "") yield own === "" ? "without a body" : "with a body";
  else yield `with another body${placeOf(own, text)}`;
}

/** The origin, the path and the query, without its question mark, of a URL that need not be valid. */
function partsOf(url: string): readonly (string | undefined)[] {
  return /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(url)?.slice(1) ?? [];
}

function isSame(recorded: string, wanted: string): boolean {
  return compareTexts(toPattern(recorded), wanted) !== undefined;
}

/** What a part of a URL means to most servers, however it is written. */
function loosely(text: string): string {
  const spaced = text.replaceAll("+", " ").replace(/(?<=.)\/$|=$/, "");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function* compareQueries(
  recorded: string | undefined,
  wanted: string | undefined,
): Generator<string> {
  if (recorded === "" && wanted === undefined) yield 'with "?" at its end';
  if (recorded === undefined && wanted === "") yield 'without "?" at its end';
  const pairsOf = (query: string | undefined): string[] => (query ? query.split("&") : []);
  const [own, others, rest] = [pairsOf(recorded), pairsOf(wanted), pairsOf(wanted)];
  const left = own.filter((pair) => !take(rest, (other) => isSame(pair, other)));
  if (left.length + rest.length === 0 && own.some((pair, at) => !isSame(pair, others[at] ?? ""))) {
    yield "with its parameters in another order";
  }
  for (const pair of left) {
    const written = take(rest, (other) => loosely(other) === loosely(pair));
    const valued = written ?? take(rest, (other) => nameOf(other) === nameOf(pair));
    if (written !== undefined) yield `with ${quote(pair)} in place of ${quote(written)}`;
    else yield `with ${valued === undefined ? "" : "another "}${quote(nameOf(pair))}`;
  }
  for (const pair of rest) yield `without ${quote(nameOf(pair))}`;
}

/** Removes the first item that fits, and returns it. */
function take(list: string[], fits: (item: string) => boolean): string | undefined {
  const at = list.findIndex(fits);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}

function nameOf(pair: string): string {
  return loosely(pair.replace(/=.*/s, ""));
}

function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** The first place at which two bodies of JSON differ. */
function placeOf(recorded: string, wanted: string): string {
  if (!beginsAsJson(recorded) || !beginsAsJson(wanted)) return "";
  try {
    const differences = compareValues(parseJson(recorded), parseJson(wanted), { isEqual });
    const [first] = differences;
    return first === undefined ? "" : `, at ${shorten(pathText(first.path), 120)}`;
  } catch {
    return ""; // One of them is not JSON.
  }
}

/** A masked value is that of any, and what differs in each run is the same. */
function isEqual(recorded: unknown, wanted: unknown): true | undefined {
  const isText = typeof recorded === "string";
  if (isText && isMaskedText(recorded) && typeof wanted !== "object") {
    return typeof wanted !== "string" || isSame(recorded, wanted) || undefined;
  }
  const isPlain = (value: unknown): boolean => /^(?:string|number)$/.test(typeof value);
  if (!isPlain(recorded) || typeof recorded !== typeof wanted) return undefined;
  return isSame(String(recorded), String(wanted)) || undefined;
}
