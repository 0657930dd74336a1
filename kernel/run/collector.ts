import { isFailedAssertion } from "../../lib/assertions/mod.ts";
import { describeRequest, maskAssertion } from "../../lib/exchange/mod.ts";
import { parseTemplate, renderTemplate } from "../../lib/interpolation/mod.ts";
import {
  type AssertionResult,
  type Client,
  type Exchange,
  type PendingRequest,
  readText,
  type Secrets,
  type SkippedRequest,
} from "../../lib/mod.ts";
import { createMasker } from "../../lib/secrets/mod.ts";
import type { CellError } from "../session/cell/mod.ts";
import { show } from "../session/mod.ts";
import { type DocumentCell, hasTag, isCode, isRunnable, readCell } from "./document.ts";
import type { DocumentUnit } from "./open-document.ts";
import { assertionProblem, errorProblem, isOfAssertions, placeIn } from "./problems.ts";
import {
  type AnswerRoom,
  type CaseResult,
  createAnswerRoom,
  type ExchangeSummary,
  type FileResult,
  type Place,
  type Problem,
  type SkipReason,
  shorten,
} from "./results.ts";
import type { CellEnd, Reporter } from "./run-document.ts";
import { labelsOf } from "./selection.ts";

interface CollectorOptions extends Pick<DocumentUnit, "document" | "row" | "selects"> {
  /** The client of the document's session; its secrets are masked in all results. */
  readonly client: Pick<Client, "secrets" | "history">;
  /** Whether a report shows the answers as in a notebook. */
  readonly withHtml?: boolean;
  /** What the answers of the suite may take. */
  readonly room?: AnswerRoom;
  /** Whether the results have the exchanges and errors themselves. */
  readonly isLive?: boolean;
}

/** A case whose cell is running, or may still fail by what it did not await. */
interface OpenCase {
  readonly cell: DocumentCell;
  readonly place: Place;
  readonly startedAt: number;
  readonly earlier: CaseResult["earlier"];
  readonly errors: CellError[];
  skipped: readonly SkippedRequest[];
  duration: number;
  assertions: CaseResult["assertions"];
  exchanges: CaseResult["exchanges"];
  /** Only for a program: they would keep every response until the end. */
  sent: readonly Exchange[];
  printed: string;
}

/** How much of a value a report shows. */
const MAX_VALUE = 2_000;
/** As much of what a cell prints as a report shows. */
const MAX_PRINTED = 10_000;

/** A reporter that collects the results of one run of a document. */
export class Collector implements Reporter {
  readonly #options: CollectorOptions;
  readonly #startedAt = Date.now();
  readonly #room: AnswerRoom;
  readonly #cases = new Map<number, OpenCase>();
  readonly #givenUp: CaseResult[] = [];
  #number = 0;
  /** The last exchange before the cell that is running. */
  #previous: Exchange | undefined;
  #ended = 0;
  #position = "";
  /** The problems of the attempts before the next one. */
  #retried: CaseResult["earlier"] = [];

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#room = options.room ?? createAnswerRoom();
  }

  cellStarted(cell: DocumentCell, number: number, total: number): void {
    const { path: file } = this.#options.document;
    const place = this.#placeOf(cell);
    this.#number = number;
    this.#previous = this.#options.client.history.at(-1);
    this.#cases.set(number, {
      cell,
      place,
      startedAt: Date.now(),
      duration: 0,
      assertions: [],
      exchanges: [],
      sent: [],
      errors: [],
      skipped: [],
      earlier: this.#retried,
      printed: "",
    });
    this.#retried = [];
    this.#position = `${file} [${number}/${total}]`;
  }

  stream(_name: "stdout" | "stderr", text: string): void {
    const running = this.#running;
    if (running === undefined || running.printed.length >= MAX_PRINTED) return;
    running.printed = (running.printed + text).slice(0, MAX_PRINTED);
  }

  failed(error: CellError): void {
    this.#running?.errors.push(error);
  }

  uncaught(error: CellError, number: number): void {
    this.#cases.get(number)?.errors.push(error);
  }

  givenUp(pending: readonly PendingRequest[], seconds: number): void {
    const { document, client } = this.#options;
    const listed = client.secrets.mask(pending.map(describeRequest).join(", "));
    const message = `Gave up after ${seconds} s on requests that no cell awaits: ${listed}`;
    const place = { file: document.path, line: 1 };
    this.#givenUp.push(
      failedCase("Pending requests", { kind: "no-response", message, details: message, place }),
    );
  }

  cellEnded({ assertions, skipped = [], duration }: CellEnd): void {
    const { client, withHtml = false, isLive } = this.#options;
    const { secrets, history } = client;
    const masker = createMasker(secrets);
    const mask = (text: string): string => shorten(masker.mask(text), MAX_VALUE);
    const running = this.#running;
    if (running === undefined) return;
    this.#ended = this.#cases.size;
    const exchanges = since(history, this.#previous).filter((one) => one.isRepeated !== true);
    const isFailed = running.errors.length > 0 || assertions.some(isFailedAssertion);
    running.duration = duration;
    running.skipped = skipped;
    running.assertions = assertions.map((result) =>
      maskAssertion(this.#fillAssertion(result, running.cell), mask),
    );
    if (isLive) running.sent = exchanges;
    running.exchanges = exchanges.map((one) =>
      summarizeExchange(one, secrets, { isFailed, withHtml, room: this.#room }),
    );
  }

  retrying(): void {
    if (this.#running === undefined) return;
    const { earlier, problems } = this.#toResult(this.#running);
    this.#retried = [...earlier, problems];
  }

  /** What has ended and failed so far, and the cell that is running. */
  get progress(): { readonly done: number; readonly failed: number; readonly cell: string } {
    const cases = [...this.#cases.values()];
    const failed = cases.filter(({ errors }) => errors.length > 0).length;
    const running = this.#running?.cell;
    const name = running === undefined ? "" : this.#labelsOf(running).name;
    return { done: this.#ended, failed, cell: `${this.#position} ${name}` };
  }

  /** The results, when the run has ended; those of a run that has not begun are of cells that were not run. */
  finish(): FileResult {
    const { document, row } = this.#options;
    const run = new Map([...this.#cases.values()].map((one) => [one.cell, one]));
    const cases = document.cells.flatMap((cell) => {
      const one = run.get(cell);
      return one === undefined ? this.#leftOut(cell) : this.#resultsOf(one);
    });
    return {
      path: document.path,
      row: row?.number,
      startedAt: this.#startedAt,
      duration: Date.now() - this.#startedAt,
      cases: [...cases, ...this.#givenUp],
    };
  }

  /** The result of a cell that was run, and those of its requests that were not sent. */
  #resultsOf(one: OpenCase): readonly CaseResult[] {
    const { assertions, ...rest } = this.#toResult(one);
    const result = { ...rest, assertions: assertions.filter((test) => test.skipped !== true) };
    const tests = assertions.flatMap(({ text, location, skipped }) =>
      skipped === true
        ? [skippedCase(`${result.name}: ${text}`, placeIn(result.place, location), "test.skip")]
        : [],
    );
    const [first, ...more] = one.skipped;
    const isOnly = first !== undefined && more.length + tests.length === 0 && !hasResult(result);
    if (isOnly) return [{ ...result, skipped: first.reason }];
    const requests = one.skipped.map(({ name, reason, ...location }) => {
      const shown = this.#options.client.secrets.mask(this.#fill(name));
      return skippedCase(shown, placeIn(result.place, location), reason);
    });
    return [...(hasResult(result) ? [result] : []), ...tests, ...requests];
  }

  /** A cell that was not run, if it might have had a result. */
  #leftOut(cell: DocumentCell): readonly CaseResult[] {
    const { selects = () => true } = this.#options;
    if (!isCode(cell) || !selects(cell)) return [];
    const reason = isRunnable(cell) ? "not-run" : "skip-execution";
    if (!sends(cell, reason === "not-run")) return [];
    const { name, tags } = this.#labelsOf(cell);
    return [{ ...skippedCase(name, this.#placeOf(cell), reason), tags }];
  }

  #placeOf(cell: DocumentCell): Place {
    const { path: file, cells } = this.#options.document;
    if (cell.line !== undefined) return { file, line: cell.line };
    // A cell that is not run has no number of its own: it is named by the one before it.
    const number = cells.slice(0, cells.indexOf(cell) + 1).filter(isRunnable).length;
    return { file, cell: Math.max(1, number), line: 1 };
  }

  get #running(): OpenCase | undefined {
    return this.#cases.get(this.#number);
  }

  #labelsOf(cell: DocumentCell): ReturnType<typeof labelsOf> {
    return labelsOf(cell, (text) => this.#options.client.secrets.mask(this.#fill(text)));
  }

  /** An assertion as it was meant in this run. A script may have named it after a response, which is no template. */
  #fillAssertion(result: AssertionResult, { source }: DocumentCell): AssertionResult {
    const fill = (text: string): string => (source.includes(text) ? this.#fill(text) : text);
    const { text, name } = result;
    return { ...result, text: fill(text), name: name === undefined ? name : fill(name) };
  }

  /** Fills the placeholders of the document that the row of data has values for; others stay. */
  #fill(text: string): string {
    const { row } = this.#options;
    if (row === undefined || !text.includes("{{")) return text;
    try {
      return renderTemplate(parseTemplate(text), row.values, "text", { missing: "keep" });
    } catch {
      return text; // The request reports its faults.
    }
  }

  #toResult({ cell, errors, skipped: _s, sent, ...rest }: OpenCase): CaseResult {
    const { secrets } = this.#options.client;
    const { name, tags } = this.#labelsOf(cell);
    const { assertions, place } = rest;
    const answered = rest.exchanges.length;
    const isMeantToFail = hasTag(cell, "raises-exception");
    // No tag makes an output that cannot be shown an expected error.
    const isExpected = ({ name }: CellError): boolean => isMeantToFail && name !== "OutputError";
    const failed = isMeantToFail ? [] : assertions.filter(isFailedAssertion);
    const others = errors.filter(
      (error) => !isExpected(error) && !isOfAssertions(error, assertions),
    );
    const problems = [
      ...failed.map((result) => assertionProblem(result, place)),
      ...others.map((error) => errorProblem(error, cell, place, { secrets, answered })),
    ];
    const live = { exchanges: sent, errors: errors.map(({ cause }) => cause) };
    return { ...rest, name, tags, problems, ...(this.#options.isLive === true && { live }) };
  }
}

/** The exchanges after another one; all of them if it is not, or no longer, in the history. */
function since(history: readonly Exchange[], previous: Exchange | undefined): readonly Exchange[] {
  return history.slice(previous === undefined ? 0 : history.lastIndexOf(previous) + 1);
}

/** Whether a cell sent or checked something, or failed: one that only prepares others is not a case. */
function hasResult({ assertions, exchanges, problems }: CaseResult): boolean {
  return assertions.length + exchanges.length + problems.length > 0;
}

/** Whether a cell sends or checks something, as far as its text shows. */
function sends(cell: DocumentCell, countsCode: boolean): boolean {
  const { kind, text } = readCell(cell);
  if (kind !== "request") return kind === "assertions" || (kind === "typescript" && countsCode);
  const { statements, failure } = readText(text);
  return (
    failure !== undefined || statements.some(({ kind }) => kind === "request" || kind === "run")
  );
}

/** A case that is not of a cell. */
export function failedCase(name: string, problem: Problem): CaseResult {
  return { ...emptyCase(name, problem.place), problems: [problem] };
}

function skippedCase(name: string, place: Place, skipped: SkipReason): CaseResult {
  return { ...emptyCase(name, place), skipped };
}

function emptyCase(name: string, place: Place): CaseResult {
  return {
    name,
    tags: [],
    place,
    startedAt: Date.now(),
    duration: 0,
    assertions: [],
    exchanges: [],
    problems: [],
    earlier: [],
    printed: "",
  };
}

/** The members of `exchange.toJSON()` that a summary needs. */
interface PlainExchange {
  readonly request: { readonly method: string; readonly url: string };
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | { readonly bytes: number };
}

const MAX_TEXT = 8_000;
const NOT_KEPT = "(The response is not kept: those of the failed cases before it take 32 MB)";

interface SummaryOptions {
  readonly isFailed: boolean;
  readonly withHtml: boolean;
  readonly room: AnswerRoom;
}

/** Summarizes an exchange; its secrets are masked. */
function summarizeExchange(
  exchange: Exchange,
  secrets: Secrets,
  { isFailed, withHtml, room }: SummaryOptions,
): ExchangeSummary {
  const kind = isFailed ? "failed" : "passed";
  const isKept = room[kind] > 0;
  const html = withHtml && isKept ? String(show(exchange, secrets).bundle()["text/html"]) : "";
  room[kind] -= html.length;
  const { method } = exchange.request;
  const summary = {
    method,
    url: secrets.mask(exchange.request.url),
    status: exchange.status,
    duration: exchange.timing.total,
    tries: exchange.tries,
    warnings: exchange.warnings.map((one) => secrets.mask(one)),
    html: withHtml ? html : undefined,
  };
  if (!isFailed) return summary;
  if (!isKept) return { ...summary, response: NOT_KEPT };
  const plain = exchange.toJSON() as PlainExchange;
  const { request } = plain;
  const sent = shorten(secrets.mask(exchange.toHttp()), MAX_TEXT);
  const response = shorten(secrets.mask(responseText(exchange.status, plain)), MAX_TEXT);
  room[kind] -= sent.length + response.length;
  return { ...summary, url: request.url, request: sent, response };
}

function responseText(status: number, { statusText, headers, body }: PlainExchange): string {
  const head = [`HTTP ${status} ${statusText}`.trim()];
  for (const [name, value] of headers) head.push(`${name}: ${value}`);
  const content = typeof body === "string" ? body : `(${body.bytes} bytes)`;
  return `${head.join("\n")}\n\n${content}`.trimEnd();
}
