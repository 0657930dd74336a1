/** What is to be looked through for secrets before a text is masked. */
export interface DeferredScans {
  /** Scans something later; until then nobody sees what it holds. */
  add(scan: () => void): void;
  /** Runs all deferred scans. */
  run(): void;
}

/** Messages that wait: many at once cost less than each as it comes, and all of them are kept alive. */
const MOST_WAITING = 48;

/**
 * Creates an empty queue.
 *
 * @param onFailure Told why a scan has failed; it keeps nothing else from being scanned.
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
