import { isExchange, isRevealed, NoResponseError, type Secrets } from "../../lib/mod.ts";
import type { OpenApiChecker } from "../../lib/openapi/mod.ts";
import { mergeVerifyRules } from "../../lib/shape/mod.ts";
import {
  type PlacedSummary,
  type ResponseDifference,
  summarizeResponse,
} from "../../lib/verify/mod.ts";
import { cellRule, type DocumentCell, TerminalReporter } from "../notebook/mod.ts";
import type { OutputStream } from "../platform/mod.ts";
import type { CellError, Shown } from "../session/mod.ts";
import { compareWithDescription } from "./openapi.ts";

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
