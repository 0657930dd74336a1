import { nameFailure } from "./assertion-failure.ts";
import { isThenable, trackAssertion } from "./test-group.ts";

/**
 * Follows an assertion through its chain, as in `expect(promise).not.resolves.toBe(1)`, to what a matcher returns: a
 * promise is awaited even if the code does not await it, and its failure names the line of the matcher.
 *
 * @param isAssertion Whether a value is an assertion, whose members continue the chain.
 */
export function followAssertion<T extends object>(
  assertion: T,
  isAssertion: (value: unknown) => boolean,
): T {
  const follow = (value: unknown): unknown => {
    if (isAssertion(value) || typeof value === "function") return wrap(value as object);
    return isThenable(value) ? trackAssertion(placed(value)) : value;
  };
  /** Methods of a chain are called on the assertion itself, and may have members, too: `to.include.keys`. */
  const wrap = (target: object, owner?: object): object =>
    new Proxy(target, {
      get: (_, key) => {
        const member: unknown = Reflect.get(target, key);
        return typeof member === "function" ? wrap(member, target) : follow(member);
      },
      apply: (called, _this, given) => {
        try {
          return follow(Reflect.apply(called as (...given: unknown[]) => unknown, owner, given));
        } catch (error) {
          nameFailure(error);
          throw error;
        }
      },
    });
  return wrap(assertion) as T;
}

/** The frames of a matcher that has waited are not those of the code. */
function placed(promise: PromiseLike<unknown>): Promise<unknown> {
  const place = new Error("place");
  return Promise.resolve(promise).catch((error: unknown) => {
    if (error instanceof Error && place.stack !== undefined) error.stack = place.stack;
    throw error;
  });
}
