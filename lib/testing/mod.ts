/** What test suites of programs use beside a client: matchers of exchanges, and a fetch that answers by itself. */

export {
  type Matcher,
  type MatcherContext,
  type RestlabMatchers,
  restlabMatchers,
  type Verdict,
  type WantedStatus,
} from "./matchers.ts";
export {
  createMock,
  type Mock,
  type MockAnswer,
  type MockCall,
  type MockResponse,
  type MockRoute,
} from "./mock.ts";
