/** What test suites of programs use beside a client: matchers of exchanges, and a fetch that answers by itself. */

export {
  type MatcherContext,
  type RestlabMatchers,
  restlabMatchers,
  type Verdict,
} from "./matchers.ts";
export {
  createMock,
  type Mock,
  type MockAnswer,
  type MockCall,
  type MockResponse,
  type MockRoute,
} from "./mock.ts";
