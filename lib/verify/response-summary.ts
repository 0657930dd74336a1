import { isJsonNumber, isRecord, JSON_NUMBER, memberOf, type Path } from "../interpolation/mod.ts";
import {
  parseNumber,
  parsePathPattern,
  readShape,
  type Shape,
  shapeOfMember,
  typesOf,
  type VerifyRule,
} from "../json/mod.ts";

/**
 * What a response promises to those who use it. It is stored with the output of a cell, in the key `response` of
 * the metadata of restlab, and contains no secrets.
 */
export interface ResponseSummary {
  /** The name of the request. */
  readonly name?: string;
  /** The method. */
  readonly method: string;
  /** The URL of the request. */
  readonly url: string;
  /** The status. */
  readonly status: number;
  /** The media type, or an empty string. */
  readonly type: string;
  /** The shape of a JSON body. */
  readonly shape?: Shape;
  /** The body: JSON, or a text. It is kept where values are compared. */
  readonly body?: unknown;
  /** What was left out: levels of the shape, or the body. */
  readonly omitted?: readonly Omission[];
}

/** A part of a summary that is left out, because it is too large or cannot be read. */
export type Omission = "shape" | "body";

/** A summary, and where in a document it belongs. */
export interface PlacedSummary {
  /** The id of the cell; without one, the place is not known. */
  readonly cell?: string;
  /** The index among the responses of the cell. */
  readonly index: number;
  /** The summary. */
  readonly summary: ResponseSummary;
  /** The request as it was first sent, if the summary has its last hop. */
  readonly sent?: Pick<ResponseSummary, "method" | "url">;
  /** What is compared. */
  readonly rule?: VerifyRule | undefined;
}

const OMISSIONS = ["shape", "body"] as const satisfies readonly Omission[];

/**
 * Reads a summary from the metadata of an output.
 *
 * @param metadata JSON from a file, which may be of any type.
 * @returns `undefined` if it has none, or one that is not valid.
 */
export function readSummary(metadata: unknown): ResponseSummary | undefined {
  const stored = memberOf(memberOf(metadata, "restlab"), "response");
  if (!isRecord(stored)) return undefined;
  const { name, method, url, status, type, shape, omitted } = stored;
  if (typeof method !== "string" || typeof url !== "string") return undefined;
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  const left = OMISSIONS.filter((one) => Array.isArray(omitted) && omitted.includes(one));
  return {
    name: typeof name === "string" ? name : undefined,
    method,
    url,
    status,
    type: typeof type === "string" ? type : "",
    shape: isRecord(shape) ? readShape(shape) : undefined,
    body: stored["body"],
    omitted: left.length === 0 ? undefined : left,
  };
}

/**
 * The places that one of the JSONPaths selects, with everything within them; invalid ones select nothing.
 *
 * @param values What the paths lead into: an index may count from the end of a list.
 */
export function ignoredPaths(
  patterns: readonly string[],
  values: readonly unknown[] = [undefined],
): (path: Path) => boolean {
  const ignored = patterns.flatMap((pattern) => {
    try {
      return [parsePathPattern(pattern)];
    } catch {
      return [];
    }
  });
  return (path) => ignored.some((selects) => values.some((value) => selects(path, value)));
}

/** Nothing deeper is compared. */
const DEEPEST = 500;

/** The only member of an object that stands for a number, and, with another dollar sign, of one that does not. */
const MARK = "$number";
const MARKS = /^\$+number$/;

/**
 * A body as JSON that can be stored, without the members and items that the JSONPaths select. A number that a double
 * cannot represent becomes `{ "$number": "9007199254740993" }`: what reads and writes a notebook would change its digits,
 * and a text would be one.
 */
export function toStoredBody(value: unknown, ignore: readonly string[]): unknown {
  const isIgnored = ignoredPaths(ignore, [value]);
  const copy = (inner: unknown, path: Path): unknown => {
    if (typeof inner !== "number" && isJsonNumber(inner)) return { [MARK]: String(inner) };
    if (typeof inner !== "object" || inner === null) return inner;
    if (path.length > DEEPEST) return null;
    if (Array.isArray(inner)) {
      // The others keep their places.
      return inner.map((item, at) => (isIgnored([...path, at]) ? null : copy(item, [...path, at])));
    }
    const entries = Object.entries(inner).filter(([name]) => !isIgnored([...path, name]));
    const [[only = ""] = []] = entries;
    const prefix = entries.length === 1 && MARKS.test(only) ? "$" : "";
    return Object.fromEntries(
      entries.map(([name, item]) => [prefix + name, copy(item, [...path, name])]),
    );
  };
  return isIgnored([]) ? undefined : copy(value, []);
}

/**
 * The body of a summary, whose numbers have all digits. Earlier versions stored such a number as a text: it is one where
 * the shape says that there are no texts.
 */
export function fromStoredBody(stored: unknown, shape: Shape = {}): unknown {
  if (typeof stored === "string") {
    const types = typesOf(shape);
    const wasNumber = types.includes("number") && !types.includes("string");
    return wasNumber && JSON_NUMBER.test(stored) ? parseNumber(stored) : stored;
  }
  if (Array.isArray(stored)) return stored.map((item) => fromStoredBody(item, shape.items));
  if (!isRecord(stored)) return stored;
  const entries = Object.entries(stored);
  const [[only = "", text] = []] = entries;
  const isMarked = entries.length === 1 && MARKS.test(only);
  if (isMarked && only === MARK && typeof text === "string" && JSON_NUMBER.test(text)) {
    return parseNumber(text);
  }
  const named = entries.map(([name, item]) => {
    const own = isMarked && name !== MARK ? name.slice(1) : name;
    const member = shape.additionalProperties ?? shapeOfMember(shape, own);
    return [own, fromStoredBody(item, member)] as const;
  });
  return Object.fromEntries(named);
}
