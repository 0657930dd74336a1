const REVEALED = Symbol.for("restlab.revealed");

/** A value that is to be shown with the secrets in it. */
export interface Revealed {
  /** The value. */
  readonly value: unknown;
}

/** Marks a value to be shown with the secrets in it, once, where it is shown as a result. */
export function reveal(value: unknown): Revealed {
  return Object.freeze({ value, [REVEALED]: true });
}

/** Whether a value was marked so, whichever copy of the library did it. */
export function isRevealed(value: unknown): value is Revealed {
  return typeof value === "object" && value !== null && Reflect.get(value, REVEALED) === true;
}
