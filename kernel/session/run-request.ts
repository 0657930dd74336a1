import type { Client, Exchange } from "../../lib/mod.ts";
import type { OutputSink, Shown } from "./outcome.ts";
import { show } from "./show.ts";

/**
 * Sends the requests of a cell one after the other. All answers but the last are shown as they
 * come; the last one is the result.
 */
export async function runRequest(
  client: Client,
  text: string,
  sink: OutputSink,
  signal: AbortSignal,
): Promise<Shown | undefined> {
  let last: Exchange | undefined;
  const onExchange = (exchange: Exchange): void => {
    if (last !== undefined) sink.display(show(last));
    last = exchange;
  };
  try {
    await client.sendAll(text, { signal, onExchange });
  } catch (error) {
    // What came before the failure is worth seeing all the more.
    if (last !== undefined) sink.display(show(last));
    throw error;
  }
  return last === undefined ? undefined : show(last);
}
