import { nonNegative } from "./numbers.ts";
import { retryOptions } from "./retry.ts";
import type { TransportOptions } from "./transport-options.ts";

/** Transport options with their defaults. */
export type Settings = Omit<Required<TransportOptions>, "retry"> & {
  /** Left out by default: then the retry option of ky applies. */
  readonly retry: ReturnType<typeof retryOptions> | undefined;
  /** Whether the timeout was set, and so applies to endless responses as well. */
  readonly isTimed: boolean;
};

const DEFAULTS: Settings = {
  timeout: 30_000,
  redirect: "follow",
  maxRedirects: 20,
  crossOriginBody: false,
  maxBodyBytes: 256 * 1024 * 1024,
  retry: undefined,
  isTimed: false,
};

const REDIRECT_MODES: ReadonlySet<unknown> = new Set(["follow", "manual", "error"]);

/**
 * The settings of a client.
 *
 * @throws {TypeError} An option is invalid.
 */
export function clientSettings(options: TransportOptions): Settings {
  return requestSettings(options, DEFAULTS);
}

/**
 * The settings of one request.
 *
 * @param base The settings of its client.
 * @throws {TypeError} An option is invalid.
 */
export function requestSettings(options: TransportOptions, base: Settings): Settings {
  return {
    timeout: nonNegative("timeout", options.timeout ?? base.timeout),
    redirect: redirectMode(options.redirect ?? base.redirect),
    maxRedirects: nonNegative("maxRedirects", options.maxRedirects ?? base.maxRedirects),
    crossOriginBody: flag("crossOriginBody", options.crossOriginBody ?? base.crossOriginBody),
    maxBodyBytes: nonNegative("maxBodyBytes", options.maxBodyBytes ?? base.maxBodyBytes),
    retry: options.retry === undefined ? base.retry : retryOptions(options.retry),
    isTimed: options.timeout !== undefined || base.isTimed,
  };
}

/** Not coerced: `"false"` would give secrets away. */
function flag(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is not true or false`);
}

function redirectMode(value: Settings["redirect"]): Settings["redirect"] {
  if (REDIRECT_MODES.has(value)) return value;
  throw new TypeError(
    `Cannot use "${String(value)}" as redirect: use "follow", "manual" or "error"`,
  );
}
