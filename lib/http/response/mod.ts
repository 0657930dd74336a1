/**
 * The body as it comes: read within limits, watched by whoever wants to see its progress, scanned for
 * secrets, and turned into an error with what there was when it breaks off.
 */

export {
  type ArrivalHooks,
  type BodyObserver,
  type BodyProgress,
  createWatch,
  headOf,
  OWN_OBSERVER,
  observeBody,
  type Track,
} from "./body-observer.ts";
export { noResponse, type Reason } from "./no-response.ts";
export { drainBody } from "./read-body.ts";
export { cutReasonOf, receiveBody } from "./receive-body.ts";
