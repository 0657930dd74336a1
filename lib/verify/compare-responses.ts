import { comparableUrl, createUrlMatcher, isMaskedText } from "../har/mod.ts";
import { pathText, renderJson, shorten, type Value } from "../interpolation/mod.ts";
import {
  compareShapes,
  compareValues,
  type Difference,
  type ShapeDifference,
  type VerifyRule,
} from "../json/mod.ts";
import {
  fromStoredBody,
  ignoredPaths,
  type PlacedSummary,
  type ResponseSummary,
} from "./response-summary.ts";

/** How far a response is from what was promised; a skipped one was not compared. */
export type Verdict = "same" | "compatible" | "drifted" | "broken" | "skipped";

/** One difference between a response and what was promised. */
export interface ResponseDifference {
  /** A JSONPath into the body, or `status`, `type`, `body`, `response` or `request`. */
  readonly path: string;
  /** What the difference is. */
  readonly kind: ShapeDifference["kind"] | "value" | "missing" | "openapi";
  /** What was promised there, for a person to read. */
  readonly promised: string;
  /** What was found there. */
  readonly found: string;
  /** Whether those who rely on what was promised can go on. */
  readonly compatible: boolean;
}

/** The result of a comparison. */
export interface Comparison {
  /** The verdict on all differences together. */
  readonly verdict: Verdict;
  /** The differences: of the status, of the media type, of the body. */
  readonly differences: readonly ResponseDifference[];
}

/**
 * Compares a response with what was promised.
 *
 * @param promised The summary that was stored.
 * @param found The summary of the response.
 * @param rule What is compared; by default the status, the media type and the shape.
 */
export function compareResponses(
  promised: ResponseSummary,
  found: ResponseSummary,
  rule: VerifyRule = { ignore: [] },
): Comparison {
  const { mode = "shape" } = rule;
  if (mode === "off") return { verdict: "skipped", differences: [] };
  const differences = [...compareHeads(promised, found, mode === "status")];
  // Another media type has another shape.
  if (mode !== "status" && promised.type === found.type) {
    differences.push(...compareBodies(promised, found, { ...rule, mode }));
  }
  return { verdict: verdictOn(differences), differences };
}

/** The verdict on differences. */
export function verdictOn(differences: readonly Pick<ResponseDifference, "compatible">[]): Verdict {
  if (differences.length === 0) return "same";
  return differences.every(({ compatible }) => compatible) ? "compatible" : "drifted";
}

function* compareHeads(
  promised: ResponseSummary,
  found: ResponseSummary,
  statusOnly: boolean,
): Generator<ResponseDifference> {
  if (promised.status !== found.status) {
    yield differ("status", "value", `${promised.status}`, `${found.status}`);
  }
  if (!statusOnly && promised.type !== found.type) {
    yield differ("type", "value", promised.type || "none", found.type || "none");
  }
}

function compareBodies(
  promised: ResponseSummary,
  found: ResponseSummary,
  { mode, ignore }: VerifyRule,
): readonly ResponseDifference[] {
  const isText = typeof promised.body === "string" && promised.shape === undefined;
  if (mode === "exact") {
    if (promised.body === undefined) {
      return ignoredPaths(ignore)([]) ? [] : unstoredBody(promised, found);
    }
    const isMasked = (value: unknown): boolean => typeof value === "string" && isMaskedText(value);
    const isEqual = (one: unknown, other: unknown): true | undefined =>
      !isText && (isMasked(one) || isMasked(other)) ? true : undefined;
    const read = ({ body, shape }: ResponseSummary): unknown =>
      isText ? body : fromStoredBody(body, shape);
    const bodies = [read(promised), read(found)] as const;
    const isIgnored = ignoredPaths(ignore, bodies);
    return [...compareValues(...bodies, { isIgnored, isEqual })].map(describe);
  }
  if (promised.shape === undefined) return [];
  if (found.shape === undefined) {
    // An empty body, or one that is not JSON. A body that was too large is not a difference.
    if (found.omitted?.includes("shape") !== true)
      return [differ("body", "gone", "JSON", "no JSON")];
    return [differ("body", "type", "JSON", "incomplete, or not JSON")];
  }
  const isIgnored = ignoredPaths(ignore);
  return compareShapes(promised.shape, found.shape)
    .filter(({ path }) => !isIgnored(path))
    .map(({ path, ...others }) => ({ path: pathText(path), ...others }));
}

/** The most characters of a value that are shown. */
const LONGEST = 80;

function describe({ path, kind, expected, actual }: Difference): ResponseDifference {
  const write = (value: unknown): string => {
    if (kind === "length") return formatItems(Number(value));
    return value === undefined ? "" : shorten(renderJson(value as Value), LONGEST);
  };
  const shownKind = kind === "length" ? "value" : kind;
  return differ(pathText(path), shownKind, write(expected), write(actual));
}

function formatItems(count: number): string {
  return `${count} item${count === 1 ? "" : "s"}`;
}

/** Values can only be compared with those that were stored. */
function unstoredBody(
  promised: ResponseSummary,
  found: ResponseSummary,
): readonly ResponseDifference[] {
  if (found.body === undefined && promised.omitted === undefined) return [];
  const reason = promised.omitted?.includes("body") === true ? "too large to store" : "not stored";
  return [differ("body", "value", reason, found.body === undefined ? "none" : "a body")];
}

function differ(
  path: string,
  kind: ResponseDifference["kind"],
  promised: string,
  found: string,
): ResponseDifference {
  return { path, kind, promised, found, compatible: false };
}

/** What was promised, and the responses that it was promised for. */
interface Pairs {
  /** By response. */
  readonly promised: ReadonlyMap<PlacedSummary, PlacedSummary>;
  /** What was promised and not answered, in order. */
  readonly unanswered: readonly PlacedSummary[];
}

/** A summary, with its URL prepared for many comparisons. */
interface Prepared {
  readonly placed: PlacedSummary;
  readonly url: string;
  readonly isUrl: (comparable: string) => boolean;
}

type Likeness = (promised: Prepared, found: Prepared) => boolean;

const sameMethod: Likeness = ({ placed: one }, { placed: other }) =>
  one.summary.method === other.summary.method;
const sameCell: Likeness = ({ placed: one }, { placed: other }) =>
  one.cell !== undefined && one.cell === other.cell;
const sameRequest: Likeness = (one, other) => sameMethod(one, other) && one.isUrl(other.url);

/**
 * From the strongest sign to the weakest. The request goes before the index, so that a new request in a cell does
 * not move those below it; the index goes before the name, since a URL may contain what differs in each run.
 */
const LIKENESSES: readonly Likeness[] = [
  (one, other) => sameCell(one, other) && sameRequest(one, other),
  (one, other) =>
    sameCell(one, other) && one.placed.index === other.placed.index && sameMethod(one, other),
  ({ placed: one }, { placed: other }) =>
    one.summary.name !== undefined && one.summary.name === other.summary.name,
  sameRequest,
];

/** Finds out which response was promised by what. Each promise is for one response, in order. */
export function pairResponses(
  promised: readonly PlacedSummary[],
  found: readonly PlacedSummary[],
): Pairs {
  const pairs = new Map<PlacedSummary, PlacedSummary>();
  const open = new Set(promised.map(prepare));
  const responses = found.map(prepare);
  for (const isLike of LIKENESSES) {
    for (const response of responses) {
      if (pairs.has(response.placed)) continue;
      for (const one of open) {
        if (!isLike(one, response)) continue;
        pairs.set(response.placed, one.placed);
        open.delete(one);
        break;
      }
    }
  }
  return { promised: pairs, unanswered: [...open].map(({ placed }) => placed) };
}

function prepare(placed: PlacedSummary): Prepared {
  const { url } = placed.summary;
  return { placed, url: comparableUrl(url), isUrl: createUrlMatcher(url) };
}
