import ky, { type KyInstance, type Options } from "ky";

/** Options of ky that a client decides itself. */
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

/** What is to be used in their place. */
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
  throwHttpErrors: "no status is an error here",
  parseJson: "use the text or the json of an exchange",
  stringifyJson: "write the body into the request",
  onDownloadProgress: "use the option onProgress of send",
  onUploadProgress: "nothing takes its place",
  duplex: "nothing takes its place",
};

/**
 * Options of ky, with the meaning that ky documents: `hooks`, `retry`, `context`, `fetch`, and what is
 * handed on to `fetch` (in a browser `cache` and `credentials`).
 */
export type KyOptions = Omit<Options, DecidedKyOption>;

/** What ky is called with: the person's options, put together by ky's own rules. */
export type KyDefaults = KyInstance;

/**
 * Begins with the options of a client.
 *
 * @throws {TypeError} An option is decided by the client, or is not what it should be.
 */
export function createKyDefaults(options: KyOptions | undefined): KyDefaults {
  return extendKyDefaults(ky.create({}), options);
}

/** Adds those of a client that extends it, or of a single send: hooks are added, the rest goes before. */
export function extendKyDefaults(defaults: KyDefaults, options: KyOptions | undefined): KyDefaults {
  return options === undefined ? defaults : defaults.extend(check(options));
}

/** The options themselves, which ky shows to a function alone. */
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
    throw new TypeError(`Cannot use ${String(options)} as ky: an object of ky's options is needed`);
  }
  const decided = Object.keys(options).find((name) => Object.hasOwn(DECIDED, name));
  if (decided !== undefined) {
    const instead = DECIDED[decided as DecidedKyOption];
    throw new TypeError(`Cannot use the option ky.${decided}: the client decides it; ${instead}`);
  }
  for (const [name, hooks] of Object.entries(options.hooks ?? {})) {
    const isList = Array.isArray(hooks) && hooks.every((hook) => typeof hook === "function");
    if (hooks === undefined || isList) continue;
    throw new TypeError(`Cannot use ky.hooks.${name}: a list of functions is needed`);
  }
  return options;
}
