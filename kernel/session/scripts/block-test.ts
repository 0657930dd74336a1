import type { Exchange } from "../../../lib/mod.ts";
import { runTest } from "../tests/mod.ts";

/** The function `test` of httpYac's scripts, with its tests of the response; without a response they do nothing. */
export function createBlockTest(exchange: Exchange | undefined): typeof runTest {
  const check =
    <T extends readonly unknown[]>(
      nameOf: (...values: T) => string,
      differs: (exchange: Exchange, ...values: T) => string | undefined,
    ) =>
    (...values: T): void => {
      if (exchange === undefined) return;
      runTest(nameOf(...values), () => {
        const difference = differs(exchange, ...values);
        if (difference !== undefined) throw new Error(difference);
      });
    };
  const test = (name: unknown, run: unknown): Promise<void> => runTest(name, run);
  return Object.assign(test, {
    status: check(
      (expected: number) => `response status equals to ${expected}`,
      ({ status }, expected) =>
        status === expected ? undefined : `The status is ${status}, expected ${expected}`,
    ),
    totalTime: check(
      (limit: number) => `total time exceeded ${limit}`,
      ({ timing: { total } }, limit) =>
        total < limit ? undefined : `The response took ${total} ms, expected less than ${limit} ms`,
    ),
    header: check(
      (name: string, expected: unknown) => `response header ${name} equals ${expected}`,
      ({ headers }, name, expected) => {
        const found = headers.get(name) ?? undefined;
        if (found === expected) return undefined;
        return `The header "${name}" is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;
      },
    ),
    headerContains: check(
      (name: string, expected: string) => `response header ${name} contains ${expected}`,
      ({ headers }, name, expected) => {
        const found = headers.get(name) ?? undefined;
        if (found?.includes(expected)) return undefined;
        return `The header "${name}" is ${JSON.stringify(found)}, which does not contain "${expected}"`;
      },
    ),
    responseBody: check(
      (expected: unknown) => `response body equals ${expected}`,
      ({ text }, expected) => (text === expected ? undefined : "The body is not the expected text"),
    ),
    hasResponseBody: check(
      () => "response body exists",
      ({ text }) => (text === "" ? "The response has no body" : undefined),
    ),
    hasNoResponseBody: check(
      () => "response body does not exists",
      ({ text }) => (text === "" ? undefined : "The response has a body"),
    ),
  });
}
