import type * as Library from "@vitest/expect";
import { isError, isThenable, readProperty } from "../../lib/interpolation/mod.ts";
import { restlabMatchers } from "../../lib/mod.ts";
import { findBrought, requireModule } from "../platform/mod.ts";
import { toMatchSchema } from "./schema-matcher.ts";
import { trackAssertion } from "./test-group.ts";
import { placeAt } from "./trace.ts";

/** The global `expect` of TypeScript cells. */
type Expect = Library.ExpectStatic;

/** How much of a value the library writes into a message; masked whole, and then cut again. */
const LONGEST = 10_000;

let library: typeof Library | undefined;
let created: Expect | undefined;

/** Its types lie beside it. */
const findLibrary = (): string => findBrought("@vitest/expect/dist/index.js");

/** Loads the library of `expect`, which takes a while. */
export function loadLibrary(): typeof Library {
  library ??= requireModule(findLibrary(), import.meta.url) as typeof Library;
  return library;
}

/** Creates `expect` when code first uses it. */
export function loadExpect(): Expect {
  created ??= createExpect(loadLibrary());
  return created;
}

/** Whether a value is what `expect()` and its matchers return. */
export function isAssertion(value: unknown): boolean {
  return created !== undefined && value instanceof loadLibrary().chai.Assertion;
}

/** What vitest does for its own `expect`, without what needs its runner. */
function createExpect(loaded: typeof Library): Expect {
  const { chai, setState, getState } = loaded;
  for (const plugin of [loaded.JestExtend, loaded.JestChaiExpect, loaded.JestAsymmetricMatchers]) {
    chai.use(plugin);
  }
  chai.config.truncateThreshold = LONGEST;
  const call = (value: unknown, message?: string): unknown =>
    followAssertion(chai.expect(value, message), isAssertion);
  const matchers: unknown = Reflect.get(globalThis, loaded.ASYMMETRIC_MATCHERS_OBJECT);
  // The plugins have added to chai what its types do not have.
  const extended = chai.expect as unknown as {
    extend(expect: Expect, matchers: Library.MatchersObject): void;
  };
  const expect = Object.assign(call, chai.expect, matchers) as unknown as Expect;
  Object.assign(expect, {
    extend: (given: Library.MatchersObject) => extended.extend(expect, given),
    getState: () => getState(expect),
    setState: (state: Partial<Library.MatcherState>) => setState(state, expect),
  });
  setState({ assertionCalls: 0 }, expect);
  // Matchers inside of other matchers ask for it.
  if (!Reflect.has(globalThis, loaded.GLOBAL_EXPECT)) {
    Reflect.defineProperty(globalThis, loaded.GLOBAL_EXPECT, { value: expect, configurable: true });
  }
  expect.extend(loaded.customMatchers);
  expect.extend({ ...restlabMatchers, toMatchSchema });
  return expect;
}

/** The name of the global whose types are read when a cell mentions it. */
export const EXPECT = "expect";

/** The declaration of `test`, in the form of `declare global`. */
export const TEST_TYPES = `
  /**
   * Runs a test, after those before it. It fails if its function throws, as \`expect\` does; the other tests of
   * the cell are run, and the cell fails.
   */
  function test(name: string, run: () => unknown): Promise<void>;
  namespace test {
    /** Leaves a test out: it is among the results, and has neither passed nor failed. */
    function skip(name: string, run?: () => unknown): void;
  }
`;

/** The declaration of `expect`, as a module; \`undefined\` if its library is not installed. */
export function declareExpect(): string | undefined {
  try {
    const library = JSON.stringify(findLibrary());
    return `import type { RestlabMatchers } from "restlab";
declare global {
  const ${EXPECT}: import(${library}).ExpectStatic;
}
declare module ${library} {
  interface Matchers<T = any> extends RestlabMatchers {
    /**
     * Checks a value, or the JSON of a response, by a JSON Schema or a Standard Schema such as those of zod. Await
     * it if the schema is asynchronous.
     *
     * @example
     * expect(client.last).toMatchSchema({ type: "object", required: ["id"] });
     */
    toMatchSchema(schema: object | boolean): void | Promise<void>;
  }
}
`;
  } catch {
    return undefined; // Cells see it untyped.
  }
}

/**
 * Follows an assertion through its chain, as in `expect(promise).not.resolves.toBe(1)`, to what a matcher returns: a
 * promise is awaited even if the code does not await it, and its failure names the line of the matcher.
 *
 * @param isAssertion Whether a value is an assertion, whose members continue the chain.
 */
function followAssertion<T extends object>(
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
    if (isError(error)) placeAt(error, place);
    throw error;
  });
}

/** What a failed assertion of a library has beside its message. */
export interface AssertionFailure extends Error {
  readonly actual?: unknown;
  readonly expected?: unknown;
  /** What a matcher adds to its verdict. */
  readonly __vitest_error_context__?: { readonly meta?: { readonly path?: unknown } };
}

/** Whether an error is that of a failed assertion of `expect`, or of another library. */
export function isAssertionFailure(error: unknown): error is AssertionFailure {
  if (!isError(error)) return false;
  if ("__vitest_error_context__" in error) return true;
  const name = readProperty(error, "name");
  return typeof name === "string" && name.startsWith("AssertionError") && "actual" in error;
}

/** Gives a failure its name, which those of added matchers have not: its stack then begins where it was made. */
export function nameFailure(error: unknown): void {
  if (!isAssertionFailure(error)) return;
  Reflect.defineProperty(error, "name", { value: "AssertionError", configurable: true });
}
