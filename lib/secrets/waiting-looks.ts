/** What is to be looked through for secrets before a text is masked. */
export interface WaitingLooks {
  /** Looks through something later; until then nobody sees what it holds. */
  add(look: () => void): void;
  /** Looks through all that waits. */
  settle(): void;
}

/** Messages that wait: many at once cost less than each as it comes, and all of them are kept alive. */
const MOST_WAITING = 48;

/**
 * Creates an empty queue.
 *
 * @param onFailure Told why a look has failed; it keeps nothing else from being looked through.
 */
export function createWaitingLooks(onFailure: (reason: string) => void): WaitingLooks {
  let waiting: (() => void)[] = [];

  function settle(): void {
    if (waiting.length === 0) return;
    const now = waiting;
    waiting = [];
    for (const look of now) {
      try {
        look();
      } catch (error) {
        onFailure(error instanceof Error ? error.message : String(error));
      }
    }
  }

  return {
    add: (look) => {
      if (waiting.push(look) > MOST_WAITING) settle();
    },
    settle,
  };
}
