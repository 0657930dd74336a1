import { type Fault, type Faulty, summarizeFaults } from "../../interpolation/mod.ts";

/** A request text is not one: a mistyped method, a header without a name, a missing blank line. */
export class RequestSyntaxError extends SyntaxError implements Faulty {
  /** Tells it from other errors, across copies of the library too. */
  override readonly name: string = "RequestSyntaxError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** All that is wrong, in order. */
  readonly faults: readonly Fault[];

  /**
   * Strings the faults together as the message.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault; those of placeholders in the same text may be among them.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * A check found faults of several kinds, or one that only sending would have shown, in a text that was
 * to be sent. Nothing was sent.
 */
export class RequestCheckError extends Error implements Faulty {
  /** Tells it from other errors, across copies of the library too. */
  override readonly name: string = "RequestCheckError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** All that is wrong, in order. */
  readonly faults: readonly Fault[];

  /**
   * Strings the faults together as the message.
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
 * A header value, its placeholders filled, holds a line break or NUL, which would end the header.
 * It is refused, never repaired: what was sent would not be what was meant.
 */
export class InvalidHeaderError extends TypeError implements Faulty {
  /** Tells it from other errors, across copies of the library too. */
  override readonly name: string = "InvalidHeaderError";
  /** The text that the spans of the faults refer to. */
  readonly source: string;
  /** All that is wrong, in order. */
  readonly faults: readonly Fault[];

  /**
   * Strings the faults together as the message.
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
