/** What test suites of programs use beside a client: a fetch that answers by itself. It sends nothing. */

export {
  createMock,
  type Mock,
  type MockAnswer,
  type MockCall,
  type MockResponse,
  type MockRoute,
} from "./mock.ts";
