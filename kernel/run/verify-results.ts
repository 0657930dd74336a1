import { mergeVerifyRules } from "../../lib/json/mod.ts";
import { isExchange, isRevealed, NoResponseError, type Secrets } from "../../lib/mod.ts";
import {
  type OpenApiChecker,
  type PlacedSummary,
  type ResponseDifference,
  summarizeResponse,
  type Verdict,
} from "../../lib/verify/mod.ts";
import type { OutputStream } from "../platform/mod.ts";
import type { CellError, Shown } from "../session/cell/mod.ts";
import { cellRule, type DocumentCell } from "./document.ts";
import { TerminalReporter } from "./terminal-reporter.ts";
import { compareWithDescription } from "./verify-openapi.ts";

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
      ...(lastHop ? { sent: { method, url: secrets.mask(url.replace(/#.*/s, "")) } } : {}),
      rule,
      undescribed,
    });
    this.#index += 1;
  }

  override failed(error: CellError): void {
    super.failed(error);
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
