import {
  type Comparison,
  compareResponses,
  type PlacedSummary,
  pairResponses,
  type ResponseDifference,
  type ResponseSummary,
  verdictOn,
} from "../../lib/verify/mod.ts";
import { cellRule, type Document } from "./document.ts";
import { isRunnable } from "./run-document.ts";
import type {
  CellFailure,
  FoundResponse,
  ResponseCollector,
  VerifiedDocument,
  VerifiedResponse,
} from "./verify-results.ts";

/** What a document was compared with. */
interface Promised {
  readonly summaries: readonly PlacedSummary[];
  /** Whether each of them must be answered: a recording may contain requests of other documents. */
  readonly isComplete: boolean;
  /** Whether a response without a promise is reported as new. */
  readonly isExpected: boolean;
}

/** Compares the responses of a document with what was promised. */
export function verifyDocument(
  document: Document,
  { summaries, isComplete, isExpected }: Promised,
  { found, failures }: Pick<ResponseCollector, "found" | "failures">,
): VerifiedDocument {
  const { promised, unanswered } = pairResponses(summaries, found);
  const code = document.cells.filter(isRunnable);
  const placeOf = (cell: string | undefined): Pick<VerifiedResponse, "cell" | "line"> => {
    const at = code.findIndex(({ id }) => id === cell);
    const line = code[at]?.line;
    return { cell: at + 1, ...(line === undefined ? {} : { line }) };
  };
  const isSkipped = ({ cell }: PlacedSummary): boolean => {
    const known = code.find(({ id }) => id === cell);
    return known === undefined || cellRule(known)?.mode === "off";
  };
  const compared = found.map((response) => ({
    ...placeOf(response.cell),
    ...nameOf(response.summary),
    ...response.sent,
    ...compare(promised.get(response), response, isExpected),
  }));
  const missing = isComplete ? unanswered.filter((one) => !isSkipped(one)) : [];
  const unsent = missing.map((one) => ({
    ...placeOf(one.cell),
    ...nameOf(one.summary),
    ...broken(`${one.summary.status}`, failureIn(failures, one.cell)?.message ?? "not sent"),
  }));
  const answered = new Set(missing.map(({ cell }) => cell));
  const failed = failures.flatMap(({ cell, request, message }) => {
    if (request === undefined || answered.has(cell)) return [];
    return [{ ...placeOf(cell), ...request, ...broken("", message) }];
  });
  const responses = [...compared, ...unsent, ...failed].sort((one, other) => one.cell - other.cell);
  return { path: document.path, responses };
}

function nameOf({ name, method, url }: ResponseSummary): Omit<ResponseSummary, "status" | "type"> {
  return { ...(name === undefined ? {} : { name }), method, url };
}

function compare(
  promised: PlacedSummary | undefined,
  { summary, rule, undescribed }: FoundResponse,
  isExpected: boolean,
): Comparison {
  if (rule?.mode === "off") return { verdict: "skipped", differences: [] };
  const saved =
    promised === undefined
      ? isExpected
        ? [differ("new", "", `${summary.status} ${summary.type}`.trim(), true)]
        : []
      : compareResponses(promised.summary, summary, rule).differences;
  const differences = [...saved, ...undescribed];
  return { verdict: verdictOn(differences), differences };
}

function broken(promised: string, found: string): Comparison {
  return { verdict: "broken", differences: [differ("missing", promised, found, false)] };
}

function differ(
  kind: ResponseDifference["kind"],
  promised: string,
  found: string,
  compatible: boolean,
): ResponseDifference {
  return { path: "response", kind, promised, found, compatible };
}

function failureIn(
  failures: readonly CellFailure[],
  cell: string | undefined,
): CellFailure | undefined {
  return failures.find((one) => one.cell === cell);
}
