import type { ResponseDifference, Verdict } from "../../lib/verify/mod.ts";

/** The result of one response. */
export interface VerifiedResponse {
  /** The number of the code cell, from 1. */
  readonly cell: number;
  /** The line on which the cell begins in a file of requests. */
  readonly line?: number;
  /** The name of the request. */
  readonly name?: string;
  readonly method: string;
  /** The URL, masked. */
  readonly url: string;
  readonly verdict: Verdict;
  readonly differences: readonly ResponseDifference[];
}

/** The results of a document, in the order of its requests. */
export interface VerifiedDocument {
  readonly path: string;
  readonly responses: readonly VerifiedResponse[];
}

/** All results. */
export interface VerifyResults {
  readonly documents: readonly VerifiedDocument[];
  /** What of the OpenAPI description no request has covered, if there is one. */
  readonly uncovered?: readonly string[];
}

/** The verdicts, from the least to the worst. */
export const VERDICTS = ["same", "compatible", "drifted", "broken", "skipped"] as const;

/** Counts the responses by verdict. */
export function countVerdicts(
  documents: readonly VerifiedDocument[],
): Readonly<Record<Verdict, number>> {
  const responses = documents.flatMap((document) => document.responses);
  const count = (verdict: Verdict): number =>
    responses.filter((one) => one.verdict === verdict).length;
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<
    Verdict,
    number
  >;
}

/** Whether a verdict is a failure. */
export function isFailure(verdict: Verdict, strict: boolean): boolean {
  return verdict === "drifted" || verdict === "broken" || (strict && verdict === "compatible");
}

/** The place of a response in its document, for a person. */
export function placeOf({ cell, line }: VerifiedResponse): string {
  return line === undefined ? `cell ${cell}` : `line ${line}`;
}

/** One difference as a line. */
export function describeDifference({ path, kind, promised, found }: ResponseDifference): string {
  const change = [promised, found].filter((text) => text !== "").join(" → ");
  return `${path}: ${kind}${change === "" ? "" : `: ${change}`}`;
}
