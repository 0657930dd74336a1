/** Searches for secrets that run before the next text is masked. */
export interface DeferredScans {
  /** Adds a search. */
  add(scan: () => void): void;
  /** Runs all of them. */
  run(): void;
}

/** Each keeps its message in memory. */
const MOST_WAITING = 48;

/**
 * Creates an empty queue.
 *
 * @param onFailure Receives the reason why a scan failed; the others still run.
 */
export function createDeferredScans(onFailure: (reason: string) => void): DeferredScans {
  let waiting: (() => void)[] = [];

  function run(): void {
    if (waiting.length === 0) return;
    const now = waiting;
    waiting = [];
    for (const scan of now) {
      try {
        scan();
      } catch (error) {
        onFailure(error instanceof Error ? error.message : String(error));
      }
    }
  }

  return {
    add: (scan) => {
      if (waiting.push(scan) > MOST_WAITING) run();
    },
    run,
  };
}
