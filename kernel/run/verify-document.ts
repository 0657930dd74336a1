import { mergeVerifyRules } from "../../lib/json/mod.ts";
import {
  isExchange,
  isRevealed,
  NoResponseError,
  type PendingRequest,
  type Secrets,
} from "../../lib/mod.ts";
import {
  type Comparison,
  compareResponses,
  type OpenApiChecker,
  type PlacedSummary,
  pairResponses,
  type ResponseDifference,
  type ResponseSummary,
  summarizeResponse,
  verdictOn,
} from "../../lib/verify/mod.ts";
import type { OutputStream } from "../platform/mod.ts";
import type { CellError, Shown } from "../session/cell/mod.ts";
import type { Collector } from "./collector.ts";
import { cellRule, type Document, type DocumentCell, isRunnable } from "./document.ts";
import type { CaseResult } from "./results.ts";
import type { CellEnd } from "./run-document.ts";
import { TerminalReporter } from "./terminal-reporter.ts";
import { compareWithDescription } from "./verify-openapi.ts";
import type { FailedCell, VerifiedDocument, VerifiedResponse } from "./verify-results.ts";

/** A response of a document. */
export interface FoundResponse extends PlacedSummary {
  /** How the exchange differs from the OpenAPI description. */
  readonly undescribed: readonly ResponseDifference[];
}

/** A failure of a cell. */
export interface CellFailure {
  readonly cell: string;
  readonly message: string;
  /** The request that got no response, if that is the failure. */
  readonly request?: { readonly method: string; readonly url: string };
}

interface CollectorOptions {
  readonly stderr: OutputStream;
  readonly secrets: Secrets;
  /** Whether requests are named by their last hop, as in a recording. */
  readonly lastHop: boolean;
  readonly checker: OpenApiChecker | undefined;
  /** Collects what fails beside the responses. */
  readonly cases: Collector;
}

/** Collects the responses of a document, and reports nothing but failures. */
export class ResponseCollector extends TerminalReporter {
  readonly found: FoundResponse[] = [];
  readonly failures: CellFailure[] = [];
  readonly #options: CollectorOptions;
  #cell: DocumentCell | undefined;
  #index = 0;

  constructor(options: CollectorOptions) {
    const { stderr, secrets } = options;
    super({ stdout: stderr, stderr, secrets, form: "brief" });
    this.#options = options;
  }

  override cellStarted(cell: DocumentCell, number: number, total: number): void {
    this.#cell = cell;
    this.#index = 0;
    super.cellStarted(cell, number, total);
    this.#options.cases.cellStarted(cell, number, total);
  }

  override uncaught(error: CellError, number: number, total: number): void {
    super.uncaught(error, number, total);
    this.#options.cases.uncaught(error, number);
  }

  override givenUp(pending: readonly PendingRequest[], seconds: number): void {
    super.givenUp(pending, seconds);
    this.#options.cases.givenUp(pending, seconds);
  }

  override cellEnded(end: CellEnd): void {
    super.cellEnded(end);
    this.#options.cases.cellEnded(end);
  }

  override stream(): void {
    // What a cell prints is not compared.
  }

  override show({ value }: Shown): void {
    const cell = this.#cell;
    if (cell === undefined || isRevealed(value) || !isExchange(value)) return;
    const rule = mergeVerifyRules(value.request.verify, cellRule(cell));
    const { lastHop, checker, secrets } = this.#options;
    const limit = Number.POSITIVE_INFINITY;
    const summary = summarizeResponse(value, rule, { limit, lastHop });
    const undescribed =
      checker === undefined ? [] : compareWithDescription(checker, value, rule, secrets);
    const { method, url } = value.request;
    this.found.push({
      cell: cell.id,
      index: this.#index,
      summary,
      sent: lastHop ? { method, url: secrets.mask(url.replace(/#.*/s, "")) } : undefined,
      rule,
      undescribed,
    });
    this.#index += 1;
  }

  override failed(error: CellError): void {
    super.failed(error);
    this.#options.cases.failed(error);
    if (this.#cell === undefined) return;
    const { secrets } = this.#options;
    const { cause } = error;
    const lost = cause instanceof NoResponseError ? cause : undefined;
    const { request } = lost ?? {};
    const message = (lost && describeLost(lost)) ?? error.message;
    this.failures.push({
      cell: this.#cell.id,
      message: secrets.mask(message.split("\n", 1)[0] ?? ""),
      ...(request && {
        request: { method: request.method, url: secrets.mask(request.url) },
      }),
    });
  }
}

/** The request and the advice are elsewhere in the output. */
function describeLost({ partial, reason }: NoResponseError): string | undefined {
  if (reason === undefined) return undefined;
  return `${partial === undefined ? "no response" : "no complete response"}: ${reason}`;
}

/** What a document was compared with. */
interface Promised {
  readonly summaries: readonly PlacedSummary[];
  /** Whether each of them must be answered: a recording may contain requests of other documents. */
  readonly isComplete: boolean;
  /** Whether a response without a promise is reported as new. */
  readonly isExpected: boolean;
}

/**
 * Compares the responses of a document with what was promised.
 *
 * @param cases What its cells have come to.
 */
export function verifyDocument(
  document: Document,
  { summaries, isComplete, isExpected }: Promised,
  { found, failures }: Pick<ResponseCollector, "found" | "failures">,
  cases: readonly CaseResult[],
): VerifiedDocument {
  const { promised, unanswered } = pairResponses(summaries, found);
  const code = document.cells.filter(isRunnable);
  const placeOf = (cell: string | undefined): Pick<VerifiedResponse, "cell" | "line"> => {
    const at = code.findIndex(({ id }) => id === cell);
    return { cell: at + 1, line: code[at]?.line };
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
  const messageIn = (cell: string | undefined): string | undefined =>
    failures.find((one) => one.cell === cell)?.message;
  const missing = isComplete ? unanswered.filter((one) => !isSkipped(one)) : [];
  const unsent = missing.map((one) => ({
    ...placeOf(one.cell),
    ...nameOf(one.summary),
    ...broken(`${one.summary.status}`, messageIn(one.cell) ?? "not sent"),
  }));
  const answered = new Set(missing.map(({ cell }) => cell));
  const failed = failures.flatMap(({ cell, request, message }) => {
    if (request === undefined || answered.has(cell)) return [];
    return [{ ...placeOf(cell), ...request, ...broken("", message) }];
  });
  const responses = [...compared, ...unsent, ...failed].sort((one, other) => one.cell - other.cell);
  return {
    path: document.path,
    responses,
    failed: cases.flatMap((one) => failedIn(one, responses)),
  };
}

/** What has failed in a cell, without an error that the verdict "broken" tells of. */
function failedIn(one: CaseResult, responses: readonly VerifiedResponse[]): readonly FailedCell[] {
  const { name, place, problems } = one;
  const isBroken = responses.some(
    ({ verdict, cell, line }) =>
      verdict === "broken" && (line === undefined ? cell === place.cell : line === place.line),
  );
  const untold = problems.filter(({ kind }) => kind === "assertion" || !isBroken);
  if (untold.length === 0) return [];
  const { cell, line } = place;
  return [{ cell, line: cell === undefined ? line : undefined, name, problems: untold }];
}

type Name = Pick<VerifiedResponse, "name" | "method" | "url">;

const nameOf = ({ name, method, url }: ResponseSummary): Name => ({ name, method, url });

function compare(
  promised: PlacedSummary | undefined,
  { summary, rule, undescribed }: FoundResponse,
  isExpected: boolean,
): Comparison {
  if (rule?.mode === "off") return { verdict: "skipped", differences: [] };
  const found = `${summary.status} ${summary.type}`.trim();
  const unpromised = isExpected ? [differ("new", "", found, true)] : [];
  const saved = promised && compareResponses(promised.summary, summary, rule).differences;
  const differences = [...(saved ?? unpromised), ...undescribed];
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
