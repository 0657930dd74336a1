/** What the library and the fetch that a platform supplies know of each other. It depends on nothing. */

export {
  CONNECTION_DETAILS,
  decodePercent,
  isBeyondFetch,
  isBodiless,
  isChangedMethod,
  isComplete,
  markComplete,
  methodOf,
  RUNTIME_FETCH,
} from "./contract.ts";
