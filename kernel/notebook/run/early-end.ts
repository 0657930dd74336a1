import { EXITED } from "./run-options.ts";

interface Interruption {
  /** Aborted at Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The exit status after it. */
  status(): number;
}

/** The end of a run before its last cell: at Ctrl-C, at SIGTERM, or by `process.exit` in a cell. */
export class EarlyEnd {
  /** Aborted when the run ends early. */
  readonly signal: AbortSignal;
  readonly #interruption: Interruption;
  readonly #leaving = new AbortController();
  #exit: number | undefined;

  constructor(interruption: Interruption) {
    this.#interruption = interruption;
    this.signal = AbortSignal.any([interruption.signal, this.#leaving.signal]);
  }

  /** Ends the run: a cell has called `process.exit`. */
  exit(status: number): void {
    this.#exit ??= status;
    this.#leaving.abort(EXITED);
  }

  /** The exit status of a run that ended early. */
  get status(): number | undefined {
    return this.#interruption.signal.aborted ? this.#interruption.status() : this.#exit;
  }
}
