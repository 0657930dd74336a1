import { formatBytes } from "../../lib/display/mod.ts";
import type { Client, PendingRequest } from "../../lib/mod.ts";

/**
 * What is on its way, for the line that is shown meanwhile: the first request, how much of its answer
 * has come, and how many others there are. Queries and user names hold credentials now and then, so
 * they are left out.
 *
 * @returns Nothing where no request is on its way.
 * @example `GET http://127.0.0.1:8787/big  1.2 MB of 4.0 MB and 2 more`
 */
export function describePending({
  pending,
  secrets,
}: Pick<Client, "pending" | "secrets">): string | undefined {
  const [first, ...more] = pending;
  if (first === undefined) return undefined;
  const url = first.url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  return secrets.mask(`${first.method} ${url}${bytesOf(first)}${others}`);
}

function bytesOf({ received = 0, total }: PendingRequest): string {
  if (received === 0) return "";
  const isKnown = total !== undefined && total >= received;
  return `  ${formatBytes(received)}${isKnown ? ` of ${formatBytes(total)}` : ""}`;
}
