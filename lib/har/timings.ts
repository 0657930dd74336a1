import type { ConnectionDetails, ExchangeHop } from "../exchange/mod.ts";
import type { HarEntry, HarTimings } from "./har.ts";

/**
 * The timings of a hop.
 *
 * @param receive Milliseconds from the headers of the response to its end.
 */
export function timingsOf(
  { wait, connection }: Pick<ExchangeHop, "wait" | "connection">,
  receive: number,
): Pick<HarEntry, "time" | "timings"> {
  const timings = { send: 0, receive: rounded(receive), ...stepsOf(wait, connection) };
  const { ssl: _partOfConnect, ...parts } = timings;
  const time = Object.values(parts).reduce((sum, part) => sum + Math.max(part, 0), 0);
  return { time: rounded(time), timings };
}

function stepsOf(
  wait: number,
  connection: ConnectionDetails | undefined,
): Omit<HarTimings, "send" | "receive"> {
  if (connection === undefined) {
    return { blocked: -1, dns: -1, connect: -1, ssl: -1, wait: rounded(wait) };
  }
  const { dns, connect, tls, firstByte } = connection.times;
  const ready = tls ?? connect ?? 0;
  return {
    // Before the request was handed to the transport: middleware and hooks.
    blocked: rounded(Math.max(wait - firstByte, 0)),
    dns: rounded(dns ?? -1),
    connect: connect === undefined ? -1 : rounded(ready - (dns ?? 0)),
    ssl: tls === undefined ? -1 : rounded(tls - (connect ?? 0)),
    wait: rounded(firstByte - ready),
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
