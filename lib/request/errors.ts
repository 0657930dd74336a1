import { type Fault, type Faulty, summarizeFaults } from "../interpolation/mod.ts";

/** A request text has faults: an unknown method, a header without a name, a missing blank line. */
export class RequestSyntaxError extends SyntaxError implements Faulty {
  /** Identifies the error, also across copies of the library. */
  override readonly name: string = "RequestSyntaxError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** All faults in order. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error with a message of all faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault, possibly of placeholders as well.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * The check before sending found faults of several kinds, or a fault that otherwise only sending would find.
 * Nothing was sent.
 */
export class RequestCheckError extends Error implements Faulty {
  /** Identifies the error, also across copies of the library. */
  override readonly name: string = "RequestCheckError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** All faults in order. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error with a message of all faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * A rendered header value contains a line break or NUL, which would end the header. It is refused and not
 * repaired, since the request would not be what was meant.
 */
export class InvalidHeaderError extends TypeError implements Faulty {
  /** Identifies the error, also across copies of the library. */
  override readonly name: string = "InvalidHeaderError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** All faults in order. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error with a message of all faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}
