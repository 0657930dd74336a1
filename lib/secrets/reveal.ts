const REVEALED = Symbol.for("restlab.revealed");

/** A value that is shown with its secrets. */
export interface Revealed {
  /** The value. */
  readonly value: unknown;
}

/** Marks a value to be shown with its secrets, once, where it is the result of a cell. */
export function reveal(value: unknown): Revealed {
  return Object.freeze({ value, [REVEALED]: true });
}

/**
 * Marks a copy of a value to be shown with its secrets, for a value that a program goes on using,
 * such as an exchange.
 *
 * @param copy The copy, which is changed.
 * @param value The value, which is still shown masked.
 */
export function markRevealed<Value extends object>(copy: Value, value: Value): Value {
  return Object.defineProperties(copy, { value: { value }, [REVEALED]: { value: true } });
}

/** Whether a value was marked to be shown with its secrets, by any copy of the library. */
export function isRevealed(value: unknown): value is Revealed {
  return typeof value === "object" && value !== null && Reflect.get(value, REVEALED) === true;
}
