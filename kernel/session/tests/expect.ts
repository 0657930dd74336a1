import type * as Library from "@vitest/expect";
import { requireModule } from "../../platform/mod.ts";
import { RESPONSE_MATCHERS } from "./response-matchers.ts";
import { toMatchSchema } from "./schema-matcher.ts";
import { followAssertion } from "./tracked-assertion.ts";

/** The global `expect` of TypeScript cells. */
export type Expect = Library.ExpectStatic;

/** How much of a value the library writes into a message; masked whole, and then cut again. */
const LONGEST = 10_000;

let library: typeof Library | undefined;
let created: Expect | undefined;

/** Loads the library of `expect`, which takes a while. */
export function loadLibrary(): typeof Library {
  library ??= requireModule("@vitest/expect", import.meta.url) as typeof Library;
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
  expect.extend({ ...RESPONSE_MATCHERS, toMatchSchema });
  return expect;
}
