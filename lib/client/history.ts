import { contentOf } from "./create-exchange.ts";
import type { Exchange } from "./exchange.ts";

/** Limits of a history; whichever is reached first holds. */
export interface HistoryLimits {
  /** How many exchanges are kept. */
  readonly count: number;
  /** How many bytes of bodies are kept, requests and responses together. */
  readonly bytes: number;
}

/** The latest exchanges, oldest first. The latest one is kept whatever its size. */
export interface History {
  readonly all: readonly Exchange[];
  readonly last: Exchange | undefined;
  add(exchange: Exchange): void;
  clear(): void;
}

/** Creates a history that forgets its oldest exchanges beyond the limits. */
export function createHistory(limits: HistoryLimits): History {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  let last: Exchange | undefined;
  return {
    get all() {
      return exchanges.slice();
    },
    get last() {
      return last;
    },
    add(exchange) {
      last = exchange;
      exchanges.push(exchange);
      bytes += weight(exchange);
      while (exchanges.length > limits.count || (bytes > limits.bytes && exchanges.length > 1)) {
        const oldest = exchanges.shift();
        if (oldest) bytes -= weight(oldest);
      }
    },
    clear() {
      exchanges.length = 0;
      bytes = 0;
      last = undefined;
    },
  };
}

function weight(exchange: Exchange): number {
  return contentOf(exchange).length + (exchange.request.body?.length ?? 0);
}
