/** What the library and the fetch that a platform supplies know of each other. It depends on nothing. */

export {
  addedHeaders,
  CONNECTION_DETAILS,
  decodePercent,
  droppedHeaders,
  isBodiless,
  isChangedMethod,
  methodOf,
  type RequestToSend,
  RUNTIME_FETCH,
} from "./contract.ts";
