import { isFailedAssertion } from "../../lib/assertions/mod.ts";
import { showRest } from "../../lib/display/mod.ts";
import { maskAssertion } from "../../lib/exchange/mod.ts";
import {
  type Client,
  type Exchange,
  NoResponseError,
  type ParsedText,
  type PreparedText,
  type RunScript,
  type SkippedRequest,
} from "../../lib/mod.ts";
import { createMasker } from "../../lib/secrets/mod.ts";
import type { Outcome, Shown } from "./cell/mod.ts";
import { FailedTestsError, showResults } from "./cell-tests.ts";
import { forwardBodies } from "./live-output.ts";
import { type CellOutput, runInCell } from "./output.ts";
import { show } from "./show.ts";

interface RequestRun {
  readonly output: CellOutput;
  readonly hasFile: HasFile;
  /** Runs the scripts of the text. */
  readonly runScript?: RunScript;
  readonly file?: string | undefined;
  /** Receives each exchange when its assertions have been checked. */
  readonly onExchange: (exchange: Exchange) => void;
}

type HasFile = (path: string) => boolean;

/**
 * Sends the requests of a cell one after the other. All responses but the last are shown as they
 * arrive; the last one is the result, unless it is shown already. If the cell has errors, all of them
 * are reported and nothing is sent.
 */
export async function runRequest(
  client: Client,
  text: ParsedText,
  { output, hasFile, runScript, file, onExchange: report }: RequestRun,
): Promise<Outcome> {
  const { sink, assertions, skipped, secrets, owner } = output;
  const prepared = await client.prepare(text, { hasFile, runsScripts: true });
  for (const warning of headerWarnings(prepared)) {
    sink.stream("stderr", `Warning: ${warning}\n`);
  }
  let last: Shown | undefined;
  const live = sink.bodies === undefined ? output.live : forwardBodies(sink.bodies, owner.signal);
  const onExchange = (exchange: Exchange): void => {
    assertions.push(...exchange.assertions);
    report(exchange);
    if (last !== undefined) sink.display(last);
    // A stream that was stopped has nothing more to show of its body than the lines that were printed, and failed
    // assertions end the cell with an error.
    const body = exchange.cut && live.hasPrinted;
    const failures = exchange.assertions.some(isFailedAssertion);
    const rest = body || failures ? showRest(exchange, { body, failures }) : exchange;
    const shown = show(exchange, secrets, rest);
    last = live.replace(exchange, shown) ? undefined : shown;
  };
  try {
    const { signal } = owner;
    const onSkip = (request: SkippedRequest): void => void skipped.push(request);
    const given = { signal, onExchange, onSkip, runScript, file, ...live.hooks };
    await runInCell(output, () => client.sendAll(prepared, given));
  } catch (error) {
    // The part that has arrived is worth more than its size.
    const partial = error instanceof NoResponseError ? error.partial : undefined;
    const arrived = partial && show(partial, secrets);
    const isShown = live.fail(arrived);
    if (last !== undefined) sink.display(last);
    if (arrived !== undefined && !isShown) sink.display(arrived);
    throw error;
  }
  return { status: "ok", ...(last && { result: last }) };
}

/** The warnings that a person should see before the answer: of misspelt header names, in a text without errors. */
function headerWarnings({ faults }: PreparedText): readonly string[] {
  if (faults.some(({ severity }) => severity === "error")) return [];
  const names = faults.filter(({ code }) => code === "header-name");
  return names.map(({ message, hint }) => `${message}. ${hint}`);
}

/**
 * Evaluates the assertions of a cell without a request against the last answer, adds the results to the output and
 * shows them.
 *
 * @throws {FailedTestsError} An assertion has failed.
 */
export async function runAssertions(
  client: Pick<Client, "evaluateAssertions">,
  source: string,
  output: CellOutput,
  options: NonNullable<Parameters<Client["evaluateAssertions"]>[1]>,
): Promise<void> {
  const results = await client.evaluateAssertions(source, options);
  output.assertions.push(...results);
  showResults(results, true, output);
  const failed = results.filter(isFailedAssertion);
  if (failed.length === 0) return;
  const { mask } = createMasker(output.secrets);
  const masked = failed.map((one) => maskAssertion(one, mask));
  throw new FailedTestsError({ source, firstLine: options.firstLine }, masked);
}
