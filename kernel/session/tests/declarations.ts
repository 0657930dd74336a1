import { createRequire } from "node:module";

/** The name of the global whose types are read when a cell mentions it. */
export const EXPECT = "expect";

/** The declaration of `test`, in the form of `declare global`. */
export const TEST_TYPES = `
  /**
   * Runs a test, after those before it. It fails if its function throws, as \`expect\` does; the other tests of
   * the cell are run, and the cell fails.
   */
  function test(name: string, run: () => unknown): Promise<void>;
`;

/** The declaration of `expect`, as a module; \`undefined\` if its library is not installed. */
export function declareExpect(): string | undefined {
  try {
    const library = JSON.stringify(createRequire(import.meta.url).resolve("@vitest/expect"));
    return `export {};
declare global {
  const ${EXPECT}: import(${library}).ExpectStatic;
}
declare module ${library} {
  interface Matchers<T = any> {${MATCHERS}  }
}
`;
  } catch {
    return undefined; // Cells see it untyped.
  }
}

const MATCHERS = `
    /**
     * Checks the status of a response: a code, or a class of codes.
     *
     * @example
     * expect(client.last).toHaveStatus(200);
     * expect(client.last).toHaveStatus("2xx");
     */
    toHaveStatus(status: number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx"): void;
    /** Checks that the status of a response is 200 to 299. */
    toBeSuccessful(): void;
    /**
     * Checks that a response has a header, and its value.
     *
     * @example
     * expect(client.last).toHaveHeader("ETag");
     * expect(client.last).toHaveHeader("Content-Type", /json/);
     */
    toHaveHeader(name: string, value?: string | RegExp): void;
    /** Checks that a response was received within a time. */
    toRespondWithin(milliseconds: number): void;
    /**
     * Checks a value, or the JSON of a response, by a JSON Schema or a Standard Schema such as those of zod. Await
     * it if the schema is asynchronous.
     *
     * @example
     * expect(client.last).toMatchSchema({ type: "object", required: ["id"] });
     */
    toMatchSchema(schema: object | boolean): void | Promise<void>;
`;
