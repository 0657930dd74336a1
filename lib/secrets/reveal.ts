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

/**
 * Marks a copy of a value to be shown with the secrets in it, in the place of the value: for what is
 * more than its mark, such as an exchange that a program goes on with.
 *
 * @param copy Another object for the same; it is changed.
 * @param value The value, which is shown masked as before.
 */
export function markRevealed<Value extends object>(copy: Value, value: Value): Value {
  return Object.defineProperties(copy, { value: { value }, [REVEALED]: { value: true } });
}

/** Whether a value was marked so, whichever copy of the library did it. */
export function isRevealed(value: unknown): value is Revealed {
  return typeof value === "object" && value !== null && Reflect.get(value, REVEALED) === true;
}
