import ky, { type KyInstance, type Options } from "ky";

/** ky options that a client sets itself. */
export type DecidedKyOption =
  | "method"
  | "headers"
  | "body"
  | "json"
  | "searchParams"
  | "prefixUrl"
  | "signal"
  | "redirect"
  | "timeout"
  | "throwHttpErrors"
  | "parseJson"
  | "stringifyJson"
  | "onDownloadProgress"
  | "onUploadProgress"
  | "duplex";

/** What to use instead. */
const DECIDED: Readonly<Record<DecidedKyOption, string>> = {
  method: "write it into the request",
  headers: "use the option headers, or write them into the request",
  body: "write it into the request",
  json: "write it into the request, or use the json of a request as data",
  searchParams: "write them into the URL, or use the query of a request as data",
  prefixUrl: "use a variable, as in {{base}}/users",
  signal: "use the option signal of send",
  redirect: "use the option redirect",
  timeout: "use the option timeout",
  throwHttpErrors: "no status is an error",
  parseJson: "use the text or the json of an exchange",
  stringifyJson: "write the body into the request",
  onDownloadProgress: "use the option onProgress of send",
  onUploadProgress: "there is no replacement",
  duplex: "there is no replacement",
};

/**
 * ky options with their documented meaning: `hooks`, `retry`, `context`, `fetch`, and those that ky passes to
 * `fetch` (in a browser `cache` and `credentials`).
 *
 * @see https://github.com/sindresorhus/ky#options
 * @example
 * ```ts
 * const options: KyOptions = {
 *   retry: 2,
 *   hooks: { beforeRequest: [(request) => request.headers.set("X-Id", "1")] },
 * };
 * ```
 */
export type KyOptions = Omit<Options, DecidedKyOption>;

/** The user's ky options as an instance of ky, which merges them by its own rules. */
export type KyDefaults = KyInstance;

/**
 * Creates the ky options of a client.
 *
 * @throws {TypeError} An option is set by the client, or is invalid.
 */
export function createKyDefaults(options: KyOptions | undefined): KyDefaults {
  return extendKyDefaults(ky.create({}), options);
}

/**
 * Adds the options of an extended client or of one send. Hooks are added; other options are replaced.
 *
 * @throws {TypeError} An option is set by the client, or is invalid.
 */
export function extendKyDefaults(defaults: KyDefaults, options: KyOptions | undefined): KyDefaults {
  return options === undefined ? defaults : defaults.extend(check(options));
}

/** Reads the options, which ky exposes only to a function. */
export function kyOptionsOf(defaults: KyDefaults): KyOptions {
  let options: KyOptions = {};
  defaults.extend((given) => {
    options = given as KyOptions;
    return {};
  });
  return options;
}

function check(options: KyOptions): KyOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`Cannot use ${String(options)} as ky: it is not an object of ky options`);
  }
  const decided = Object.keys(options).find((name) => Object.hasOwn(DECIDED, name));
  if (decided !== undefined) {
    const instead = DECIDED[decided as DecidedKyOption];
    throw new TypeError(`Cannot use the option ky.${decided}: the client sets it; ${instead}`);
  }
  for (const [name, hooks] of Object.entries(options.hooks ?? {})) {
    const isList = Array.isArray(hooks) && hooks.every((hook) => typeof hook === "function");
    if (hooks === undefined || isList) continue;
    throw new TypeError(`Cannot use ky.hooks.${name}: it is not a list of functions`);
  }
  return options;
}
