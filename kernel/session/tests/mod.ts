/**
 * Tests: `test` and `expect` of TypeScript cells, `client.test` of response handlers, and the results of all
 * of them. The library of `expect` and the validator of schemas are loaded when code uses them.
 */

export { showResults, withTests } from "./cell-tests.ts";
export { declareExpect, EXPECT, TEST_TYPES } from "./declarations.ts";
export { isAssertion, loadExpect } from "./expect.ts";
export { FailedTestsError } from "./failed-tests-error.ts";
export { createPlaces } from "./places.ts";
export { observeExchanges, runTest } from "./test-group.ts";
export { Tests } from "./tests.ts";
