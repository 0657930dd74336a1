import { contentOf } from "./create-exchange.ts";
import type { Exchange } from "./exchange.ts";

/** The limits of a history; whichever is reached first applies. */
interface HistoryLimits {
  /** The number of exchanges. */
  readonly count: number;
  /** The bytes of all bodies, of requests and responses. */
  readonly bytes: number;
}

/** The latest exchanges, oldest first. The last one is kept whatever its size. */
export interface History {
  readonly all: readonly Exchange[];
  readonly last: Exchange | undefined;
  add(exchange: Exchange): void;
  clear(): void;
}

/** Creates a history that removes its oldest exchanges beyond the limits. */
export function createHistory(limits: HistoryLimits): History {
  // A set keeps insertion order and removes its oldest element in constant time.
  const exchanges = new Set<Exchange>();
  let bytes = 0;
  let last: Exchange | undefined;
  return {
    get all() {
      return [...exchanges];
    },
    get last() {
      return last;
    },
    add(exchange) {
      last = exchange;
      exchanges.add(exchange);
      bytes += weight(exchange);
      for (const oldest of exchanges) {
        const { size } = exchanges;
        if (size <= limits.count && (bytes <= limits.bytes || size === 1)) break;
        exchanges.delete(oldest);
        bytes -= weight(oldest);
      }
    },
    clear() {
      exchanges.clear();
      bytes = 0;
      last = undefined;
    },
  };
}

function weight(exchange: Exchange): number {
  const { body, uncompressed } = exchange.request;
  return contentOf(exchange).length + (body?.length ?? 0) + (uncompressed?.length ?? 0);
}
