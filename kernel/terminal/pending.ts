import { formatBytes, formatWaiting } from "../../lib/display/mod.ts";
import { describeRequest, isWaitedFor } from "../../lib/exchange/mod.ts";
import type { Client, PendingRequest } from "../../lib/mod.ts";

export { describeRequest };

/**
 * Describes pending requests on one line: the first one, the received part of its answer, and the
 * number of others.
 *
 * @returns Nothing if no request is pending.
 * @example `GET http://127.0.0.1:8787/big  1.2 MB of 4.0 MB and 2 more`
 */
export function describePending({
  pending,
  secrets,
}: Pick<Client, "pending" | "secrets">): string | undefined {
  const [first, ...more] = pending;
  if (first === undefined) return undefined;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  return secrets.mask(`${describeRequest(first)}${describeProgress(first)}${others}`);
}

/** Describes for how long the first pending request has waited, if nothing of its answer has arrived. */
export function describeWaiting({ pending }: Pick<Client, "pending">): string | undefined {
  const [first] = pending;
  if (first === undefined || !isWaitedFor(first)) return undefined;
  return formatWaiting(Date.now() - first.startedAt.getTime(), first.timeout);
}

function describeProgress({ received = 0, total }: PendingRequest): string {
  if (received === 0) return "";
  const isKnown = total !== undefined && total >= received;
  return `  ${formatBytes(received)}${isKnown ? ` of ${formatBytes(total)}` : ""}`;
}
