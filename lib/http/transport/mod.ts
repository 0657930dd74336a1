/**
 * The way to a server: which fetch, by the connection options; the deadline of a request; attempts; what
 * an error of a network means in plain words.
 */

export type { Connect, ConnectionOptions } from "./connection.ts";
export { type Deadline, type Stop, startDeadline } from "./deadline.ts";
export { explainFailure, type Failure } from "./failure.ts";
export { sendBy } from "./fetch-init.ts";
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
export { RedirectError, type RedirectReason } from "./redirect-error.ts";
export { guardRetry, type RetryOptions, toKyRetry } from "./retry.ts";
export {
  createFetch,
  createTransportSelector,
  readConnection,
  type TransportAccess,
  UNCHECKED,
} from "./select-transport.ts";
export { amount, clientSettings, requestSettings, type Settings } from "./settings.ts";
export type { TransportOptions } from "./transport-options.ts";
