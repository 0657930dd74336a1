import ky, { HTTPError, type Options } from "ky";
import type { HopFetch, PreparedRequest, Tell } from "./request/mod.ts";
import { drainBody } from "./response/mod.ts";
import type { Settings } from "./transport/mod.ts";
import {
  guardRetry,
  type KyDefaults,
  kyOptionsOf,
  toBody,
  toHop,
  toKyRetry,
  toRequest,
} from "./transport/mod.ts";

/** A function among the ky options of a person has thrown; what it threw is the cause. */
export class HookError extends Error {
  override readonly name = "HookError";
}

/** What calling ky needs beside the request. */
export interface KyCall {
  readonly ky: KyDefaults;
  readonly signal: AbortSignal;
  readonly retry: Settings["retry"];
  /** Sends one attempt, its redirects included. */
  readonly send: HopFetch;
  readonly tell: Tell;
}

/**
 * Sends a request with ky, which calls the hooks and decides about further attempts. A status is not
 * an error in the end.
 *
 * @throws {HookError} A hook has thrown.
 * @throws What `send` throws.
 */
export async function callKy(
  prepared: PreparedRequest,
  { ky: defaults, signal, retry, send, tell }: KyCall,
): Promise<Response> {
  const made = toRequest(prepared);
  const body = toBody(prepared);
  const options = kyOptionsOf(defaults);
  const attempts: string[] = [];
  let latest: Response | undefined;
  let failure: { readonly cause: unknown } | undefined;
  const fetch: unknown = async (request: Request): Promise<Response> => {
    if (latest !== undefined) void drainBody(latest);
    latest = undefined;
    failure = undefined;
    const index = attempts.push("no answer") - 1;
    try {
      latest = await send(await toHop(request, made, prepared));
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
    attempts[index] = String(latest.status);
    return latest;
  };
  try {
    const response = await ky(made, {
      ...options,
      ...(body === undefined ? {} : { body }),
      fetch,
      signal,
      retry: retry === undefined ? guardRetry(options.retry) : toKyRetry(retry),
      redirect: "manual",
      timeout: false,
      // By its HTTPError alone does ky try a status again and call `beforeError`.
      throwHttpErrors: true,
    } as Options);
    // There is none where a hook has stopped the attempts.
    const answer: Response | undefined = response ?? latest;
    if (answer === undefined) throw failure?.cause ?? new Error("a hook stopped the attempts");
    if (attempts.length === 0) {
      tell("Nothing was sent: the answer is that of a beforeRequest hook");
    }
    return answer;
  } catch (error) {
    // A hook may have called ky itself.
    if (error instanceof HTTPError && (error.options as Options).fetch === fetch) {
      return error.response;
    }
    const isOwn = failure?.cause === error || Object.keys(options).length === 0;
    throw isOwn ? error : new HookError("A hook of ky failed", { cause: error });
  } finally {
    if (attempts.length > 1) tell(`Sent ${attempts.length} times: ${attempts.join(", then ")}`);
  }
}
