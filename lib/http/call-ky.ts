import ky, { HTTPError, type Options } from "ky";
import type { HopFetch, PreparedRequest, Warn } from "./request/mod.ts";
import { drainBody } from "./response/mod.ts";
import {
  guardRetry,
  type KyDefaults,
  kyOptionsOf,
  type Settings,
  toBody,
  toHop,
  toKyRetry,
  toRequest,
} from "./transport/mod.ts";

/** A function among the user's ky options has thrown; `cause` is what it threw. */
export class HookError extends Error {
  override readonly name = "HookError";
}

interface KyCall {
  readonly ky: KyDefaults;
  readonly signal: AbortSignal;
  readonly retry: Settings["retry"];
  /** Sends one attempt with its redirects. */
  readonly send: HopFetch;
  readonly warn: Warn;
}

/**
 * Sends a request with ky, which calls the hooks and decides about retries. No status is an error.
 *
 * @throws {HookError} A hook has thrown.
 * @throws What `send` throws.
 */
export async function callKy(
  prepared: PreparedRequest,
  { ky: defaults, signal, retry, send, warn }: KyCall,
): Promise<Response> {
  const original = toRequest(prepared);
  const body = toBody(prepared);
  const options = kyOptionsOf(defaults);
  const attempts: string[] = [];
  let latest: Response | undefined;
  let failure: { readonly cause: unknown } | undefined;
  const fetch: unknown = async (request: Request): Promise<Response> => {
    if (latest !== undefined) void drainBody(latest);
    latest = undefined;
    failure = undefined;
    const index = attempts.push("no response") - 1;
    try {
      latest = await send(await toHop(request, original, prepared));
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
    attempts[index] = String(latest.status);
    return latest;
  };
  try {
    const response: Response | undefined = await ky(original, {
      ...options,
      ...(body === undefined ? {} : { body }),
      fetch,
      signal,
      retry: retry === undefined ? guardRetry(options.retry) : toKyRetry(retry),
      redirect: "manual",
      timeout: false,
      // Only for an HTTPError does ky retry a status and call `beforeError`.
      throwHttpErrors: true,
    } as Options);
    // ky returns nothing when a hook stops the retries.
    const answer = response ?? latest;
    if (answer === undefined) throw failure?.cause ?? new Error("a hook stopped the retries");
    if (attempts.length === 0) warn("Nothing was sent: a beforeRequest hook returned the response");
    return answer;
  } catch (error) {
    // An HTTPError of another call comes from a hook that uses ky itself.
    if (error instanceof HTTPError && (error.options as Options).fetch === fetch) {
      return error.response;
    }
    const isFromSend = failure?.cause === error || Object.keys(options).length === 0;
    throw isFromSend ? error : new HookError("A hook of ky failed", { cause: error });
  } finally {
    if (attempts.length > 1)
      warn(`Sent ${attempts.length} times: ${attempts.join(", then ")}`, "info");
  }
}
