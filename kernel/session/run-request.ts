import {
  type CheckFault,
  type Client,
  type Exchange,
  RequestCheckError,
  UnresolvedPlaceholderError,
} from "../../lib/mod.ts";
import type { Outcome, OutputSink } from "./cell/mod.ts";
import { handOn, show, watchLiveOutput } from "./output/mod.ts";

/** What the requests of a cell are run with. */
export interface RequestRun {
  readonly sink: OutputSink;
  readonly signal: AbortSignal;
  readonly hasFile: (path: string) => boolean;
}

/**
 * Sends the requests of a cell one after the other. All answers but the last are shown as they
 * come; the last one is the result, unless it was shown while it arrived, in place. A cell with faults
 * is told all of them, and nothing is sent.
 */
export async function runRequest(
  client: Client,
  text: string,
  { sink, signal, hasFile }: RequestRun,
): Promise<Outcome> {
  await checkCell(client, text, hasFile);
  let last: Exchange | undefined;
  const live =
    sink.bodies === undefined
      ? watchLiveOutput(sink, client.secrets, () => client.pending.at(-1)?.method ?? "GET")
      : handOn(sink.bodies, signal);
  const onExchange = (exchange: Exchange): void => {
    if (last !== undefined) sink.display(show(last, client.secrets));
    last = live.replace(exchange) ? undefined : exchange;
  };
  try {
    await client.sendAll(text, { signal, onExchange, ...live.hooks });
  } catch (error) {
    live.fail(error);
    // What came before the failure is worth seeing all the more.
    if (last !== undefined) sink.display(show(last, client.secrets));
    throw error;
  }
  return last === undefined
    ? { status: "ok" }
    : { status: "ok", result: show(last, client.secrets) };
}

/** What a client says itself, of a syntax fault for example, it says when the text is sent. */
async function checkCell(
  client: Client,
  text: string,
  hasFile: RequestRun["hasFile"],
): Promise<void> {
  const isNoSyntax = ({ code }: CheckFault): boolean => code !== "syntax";
  let faults = client.check(text, { hasFile });
  if (faults.length === 0 || !faults.every(isNoSyntax)) return;
  // Realistic data and `.env` are loaded where a text needs them, which no check waits for.
  await client.prepare(text);
  faults = client.check(text, { hasFile });
  const errors = faults.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  if (errors.every(({ code }) => code === "name"))
    throw new UnresolvedPlaceholderError(text, errors);
  throw new RequestCheckError(text, faults);
}
