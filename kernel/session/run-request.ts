import { maskAssertion } from "../../lib/exchange/mod.ts";
import {
  type Client,
  type Exchange,
  type ParsedText,
  RequestCheckError,
  type RunScript,
  UnresolvedPlaceholderError,
} from "../../lib/mod.ts";
import type { Outcome } from "./cell/mod.ts";
import { FailedTestsError, showResults } from "./cell-tests.ts";
import { forwardBodies, watchLiveOutput } from "./live-output.ts";
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
  const { sink, assertions, secrets, owner } = output;
  for (const warning of await checkCell(client, text, hasFile)) {
    sink.stream("stderr", `Warning: ${warning}\n`);
  }
  let last: Exchange | undefined;
  const live =
    sink.bodies === undefined ? watchLiveOutput(output) : forwardBodies(sink.bodies, owner.signal);
  const onExchange = (exchange: Exchange): void => {
    assertions.push(...exchange.assertions);
    report(exchange);
    if (last !== undefined) sink.display(show(last, secrets));
    last = live.replace(exchange) ? undefined : exchange;
  };
  try {
    const options = { ...(runScript && { runScript }), ...(file === undefined ? {} : { file }) };
    const { signal } = owner;
    const given = { signal, onExchange, checked: true, ...options, ...live.hooks };
    await runInCell(output, () => client.sendAll(text, given));
  } catch (error) {
    live.fail(error);
    if (last !== undefined) sink.display(show(last, secrets));
    throw error;
  } finally {
    live.stop();
  }
  return { status: "ok", ...(last && { result: show(last, secrets) }) };
}

/**
 * Checks a cell for everything but syntax errors, which the client reports when the text is sent.
 *
 * @returns The warnings that a person should see before the answer: of misspelt header names.
 */
async function checkCell(
  client: Client,
  text: ParsedText,
  hasFile: HasFile,
): Promise<readonly string[]> {
  const options = { hasFile, runsScripts: true };
  let faults = client.check(text, options);
  if (faults.length === 0 || faults.some(({ code }) => code === "syntax")) return [];
  // A check does not wait for realistic data and `.env`, which are loaded on demand.
  await client.prepare(text);
  faults = client.check(text, options);
  const errors = faults.filter(({ severity }) => severity === "error");
  if (errors.length === 0) {
    const names = faults.filter(({ code }) => code === "header-name");
    return names.map(({ message, hint }) => `${message}. ${hint}`);
  }
  if (errors.every(({ code }) => code === "name"))
    throw new UnresolvedPlaceholderError(text.source, errors);
  throw new RequestCheckError(text.source, faults);
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
  showResults(results, output);
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length === 0) return;
  const masked = failed.map((one) => maskAssertion(one, (text) => output.secrets.mask(text)));
  throw new FailedTestsError({ source, firstLine: options.firstLine }, masked);
}
