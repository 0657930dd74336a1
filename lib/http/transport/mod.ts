/** Connects to servers: fetch by connection options, deadlines, retries, limits, network errors. */

export type { Connect, ConnectionOptions } from "./connection.ts";
export { type Deadline, MAX_TIMER, type Stop, startDeadline } from "./deadline.ts";
export { defaultsOf, type RequestToSend, type RuntimeHeaders } from "./default-headers.ts";
export { explainFailure, type Failure } from "./failure.ts";
export {
  createKyDefaults,
  type DecidedKyOption,
  extendKyDefaults,
  type KyDefaults,
  type KyOptions,
  kyOptionsOf,
} from "./ky-options.ts";
export { toBody, toHop, toRequest } from "./ky-request.ts";
export { createLimiter, type Limiter, type Rate } from "./limiter.ts";
export { nonNegative } from "./numbers.ts";
export { readConnection } from "./read-connection.ts";
export { RedirectError, type RedirectReason } from "./redirect-error.ts";
export { guardRetry, type RetryOptions, toKyRetry } from "./retry.ts";
export {
  createFetch,
  createTransportSelector,
  INSECURE_WARNING,
  type SelectTransport,
  type Transport,
  type TransportAccess,
} from "./select-transport.ts";
export { sendByFetch } from "./send-by-fetch.ts";
export { clientSettings, requestSettings, type Settings } from "./settings.ts";
export type { TransportOptions } from "./transport-options.ts";
