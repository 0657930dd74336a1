import type { Reporter } from "./reporter.ts";

/** Two ways to one reporter; what is told by either comes in the order in which it was told. */
export interface BufferedReporter {
  /** Tells everything at once. */
  readonly now: Reporter;
  /** Tells of answers, and of the beginnings and ends of cells, a moment later. */
  readonly soon: Reporter;
  /** Tells what still waits. */
  flush(): void;
}

/** So many milliseconds nobody notices, and quick answers are told several at once, which costs less. */
const LATENESS = 20;

/**
 * Creates what tells of a run and is never what ends it.
 *
 * Lets a run tell of an answer while the next request is on its way, where it would only wait. Cells
 * that compute are told of at once: they may keep the thread for as long as they like.
 *
 * @param onFailure Told of what could not be told.
 */
export function createBufferedReporter(
  reporter: Reporter,
  onFailure: (error: unknown) => void,
): BufferedReporter {
  let waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const told = waiting;
    waiting = [];
    for (const tell of told) tryTo(tell);
  }

  function tryTo(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      onFailure(error);
    }
  }

  type Tell<A extends readonly unknown[]> = (...given: A) => void;

  function later<A extends readonly unknown[]>(tell: Tell<A>): Tell<A> {
    return (...given) => {
      waiting.push(() => tell(...given));
      timer ??= setTimeout(flush, LATENESS);
    };
  }

  function atOnce<A extends readonly unknown[]>(tell: Tell<A>): Tell<A> {
    return (...given) => {
      flush();
      tryTo(() => tell(...given));
    };
  }

  const now: Reporter = {
    documentStarted: atOnce(reporter.documentStarted),
    text: atOnce(reporter.text),
    cellStarted: atOnce(reporter.cellStarted),
    stream: atOnce(reporter.stream),
    show: atOnce(reporter.show),
    failed: atOnce(reporter.failed),
    uncaught: atOnce(reporter.uncaught),
    waiting: atOnce(reporter.waiting),
    givenUp: atOnce(reporter.givenUp),
    cellEnded: atOnce(reporter.cellEnded),
  };
  const soon: Reporter = {
    ...now,
    cellStarted: later(reporter.cellStarted),
    show: later(reporter.show),
    cellEnded: later(reporter.cellEnded),
  };
  return { now, soon, flush };
}
