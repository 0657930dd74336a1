import { isMaskedText } from "../har/mod.ts";
import {
  compareShapes,
  compareValues,
  pathText,
  type ShapeDifference,
  type VerifyRule,
} from "../shape/mod.ts";
import type { ResponseSummary } from "./response-summary.ts";
import { ignoredPaths } from "./stored-body.ts";

/** How far a response is from what was promised; a skipped one was not compared. */
export type Verdict = "same" | "compatible" | "drifted" | "broken" | "skipped";

/** One difference between a response and what was promised. */
export interface ResponseDifference {
  /** A JSONPath into the body, or `status`, `type`, `body`, `response` or `request`. */
  readonly path: string;
  /** What the difference is. */
  readonly kind: ShapeDifference["kind"] | "missing" | "openapi";
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
  const isIgnored = ignoredPaths(ignore);
  const isText = typeof promised.body === "string" && promised.shape === undefined;
  if (mode === "exact") {
    if (promised.body === undefined) return isIgnored([]) ? [] : unstoredBody(promised, found);
    const rules = { isIgnored, isUnknown: isText ? () => false : isMaskedText };
    return compareValues(promised.body, found.body, rules).map(toDifference);
  }
  if (promised.shape === undefined) return [];
  if (found.shape === undefined) {
    // An empty body, or one that is not JSON. A body that was too large is not a difference.
    if (found.omitted?.includes("shape") !== true)
      return [differ("body", "gone", "JSON", "no JSON")];
    return [differ("body", "type", "JSON", "incomplete, or not JSON")];
  }
  return compareShapes(promised.shape, found.shape)
    .filter(({ path }) => !isIgnored(path))
    .map(toDifference);
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

function toDifference({ path, ...others }: ShapeDifference): ResponseDifference {
  return { path: pathText(path), ...others };
}

function differ(
  path: string,
  kind: ResponseDifference["kind"],
  promised: string,
  found: string,
): ResponseDifference {
  return { path, kind, promised, found, compatible: false };
}
