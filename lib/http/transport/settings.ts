import { retryOptions } from "./retry.ts";
import type { TransportOptions } from "./transport-options.ts";

/** Transport options with nothing left out. */
export type Settings = Omit<Required<TransportOptions>, "retry"> & {
  /** Left out where nothing is said of it: then ky's own option holds. */
  readonly retry: ReturnType<typeof retryOptions> | undefined;
  /** Whether somebody has set the time limit: then it holds for what has no end, too. */
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

/** The settings of a client. */
export function clientSettings(options: TransportOptions): Settings {
  return requestSettings(options, DEFAULTS);
}

/**
 * The settings of one request.
 *
 * @throws {TypeError} An option is not what it should be.
 */
export function requestSettings(options: TransportOptions, base: Settings): Settings {
  return {
    timeout: amount("timeout", options.timeout ?? base.timeout),
    redirect: redirectMode(options.redirect ?? base.redirect),
    maxRedirects: amount("maxRedirects", options.maxRedirects ?? base.maxRedirects),
    crossOriginBody: flag("crossOriginBody", options.crossOriginBody ?? base.crossOriginBody),
    maxBodyBytes: amount("maxBodyBytes", options.maxBodyBytes ?? base.maxBodyBytes),
    retry: options.retry === undefined ? base.retry : retryOptions(options.retry),
    isTimed: options.timeout !== undefined || base.isTimed,
  };
}

/**
 * Checks an option that counts something.
 *
 * @throws {TypeError} It is not a number from 0 on.
 */
export function amount(name: string, value: number): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: a number from 0 on is needed`);
}

/** What is no boolean may be meant either way, and one of the ways gives secrets away. */
function flag(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: it is true or false`);
}

function redirectMode(value: Settings["redirect"]): Settings["redirect"] {
  if (REDIRECT_MODES.has(value)) return value;
  throw new TypeError(
    `Cannot use "${String(value)}" as redirect: it is "follow", "manual" or "error"`,
  );
}
