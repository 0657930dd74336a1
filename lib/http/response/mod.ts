/** Reads response bodies: within limits, observed, scanned for secrets, and with errors that keep a part. */

export {
  type ArrivalHooks,
  type BodyObserver,
  type BodyProgress,
  createBodyObserver,
  headOf,
  OWN_OBSERVER,
  observeBody,
  type TransferProgress,
} from "./body-observer.ts";
export { noResponse, type Reason } from "./no-response.ts";
export { discardedBody, drainBody } from "./read-body.ts";
export { cutReasonOf, receiveBody } from "./receive-body.ts";
