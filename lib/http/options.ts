import { type Exchange, isKnownCharset } from "../exchange/mod.ts";
import { nearNames } from "../interpolation/mod.ts";
import type { Credentials, LoginTools } from "./auth/mod.ts";
import type { Compression } from "./body-out.ts";
import { nonNegative, type Rate } from "./in-flight.ts";
import { type KyOptions, type KyRetry, type RetryOptions, toKyRetry } from "./ky.ts";
import type { ArrivalHooks } from "./receive-body.ts";
import type { RequestParts } from "./request-spec.ts";
import type { RunScript } from "./script.ts";
import type { TransportAccess } from "./transport.ts";

/** Options of a client and of each request: credentials and cookies. */
export interface OutgoingOptions {
  /**
   * The credentials. An `Authorization` header in the request takes precedence over those of the client;
   * `false` sends none.
   */
  readonly auth?: Credentials | false | undefined;
  /** Whether cookies are stored and sent; `true` by default. */
  readonly cookies?: boolean | undefined;
}

/** Options of one `send`: credentials, cookies, ky, compression, connection. */
export interface SendingOptions extends OutgoingOptions {
  /** ky options of this request. They extend those of the client; hooks are added to its hooks. */
  readonly ky?: KyOptions | undefined;
  /** Compresses the body and sets `Content-Encoding`. */
  readonly compress?: Compression | undefined;
  /** Proxy, certificates and protocol; each option takes precedence over that of the client. */
  readonly connection?: ConnectionOptions | undefined;
}

/** Options of a client: credentials, cookies, logins, connection, limits. */
export interface ReachingOptions
  extends OutgoingOptions,
    LoginTools,
    Pick<TransportAccess, "connection" | "connect"> {
  /** How many requests may be in flight at once; the others wait. */
  readonly concurrency?: number | undefined;
  /** How many requests may start in a second, or in `per` milliseconds; the others wait. */
  readonly rate?: Rate | undefined;
}

/** The options of a client that concern HTTP. */
export interface HttpOptions extends TransportOptions, TransportAccess, ReachingOptions {
  /** ky options of every request. The options `retry` and `fetch` of the client take precedence. */
  readonly ky?: KyOptions | undefined;
  /** The clock for signatures and for the expiry of tokens. */
  readonly now?: (() => Date) | undefined;
}

/** Options of rendering a text. */
export interface RenderTextOptions {
  /** `keep` leaves placeholders without a value unchanged; `error` is the default. */
  readonly missing?: "error" | "keep" | undefined;
  /** Whether misspelt header names were reported before, by `check`; the warnings do not repeat them. */
  readonly checked?: boolean | undefined;
}

/** Options of one `send`; they take precedence over those of the client. */
export interface SendOptions
  extends TransportOptions,
    RenderTextOptions,
    ArrivalHooks,
    SendingOptions,
    RequestParts {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds without a message after which a WebSocket request with messages ends; 2,000 by
   * default. `Infinity` listens until the server closes or the request is stopped.
   */
  readonly quiet?: number | undefined;
  /**
   * Shows the response with its secrets if it is the result of a cell, and says so in the output;
   * `last` and `history` stay masked.
   */
  readonly reveal?: boolean | undefined;
  /** Called with each exchange of a text with several requests as soon as it is complete. */
  readonly onExchange?: ((exchange: Exchange) => unknown) | undefined;
  /** Called with each request of a text that is not sent. */
  readonly onSkip?: ((skipped: SkippedRequest) => void) | undefined;
  /**
   * Runs the scripts of a request text, and the expressions of `?? js`. Front ends supply it for the text that
   * a person runs, and never for one that may come from a response. Without it no script is run, as the
   * notes of the exchange say, and an assertion with `?? js` fails.
   */
  readonly runScript?: RunScript | undefined;
  /** The file of the text, which the results of assertions name. */
  readonly file?: string | undefined;
  /** The line of the file on which the text begins; 1 by default. Errors and results name the lines of the file. */
  readonly firstLine?: number | undefined;
}

/** The names of the parts of a request that may stand in the options of `send`. */
export const PARTS: Readonly<Record<keyof RequestParts, true>> = {
  headers: true,
  query: true,
  body: true,
  json: true,
  form: true,
  multipart: true,
  graphql: true,
};

/** The names of the options of one `send`. */
export const SEND_OPTIONS: Readonly<Record<keyof SendOptions, true>> = {
  signal: true,
  timeout: true,
  redirect: true,
  maxRedirects: true,
  crossOriginBody: true,
  charset: true,
  maxBodyBytes: true,
  retry: true,
  auth: true,
  cookies: true,
  ky: true,
  connection: true,
  compress: true,
  missing: true,
  checked: true,
  quiet: true,
  reveal: true,
  keepBytes: true,
  onHeaders: true,
  onChunk: true,
  onProgress: true,
  onExchange: true,
  onSkip: true,
  runScript: true,
  file: true,
  firstLine: true,
  ...PARTS,
};

/** What other libraries call an option. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  baseURL: "baseUrl",
  prefixUrl: "baseUrl",
  searchParams: "query",
  params: "query",
  data: "json",
  formData: "multipart",
};

/**
 * Refuses options that would be ignored.
 *
 * @param options What a person has given.
 * @param known The names of options.
 * @param what Whose options they are, for the message: `client.send`.
 * @throws {TypeError} There is another name; the message has the nearest.
 */
export function checkOptions(
  options: object | undefined,
  known: Readonly<Record<string, true>>,
  what: string,
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Cannot use ${String(options)} as options of ${what}: it is not an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const other = OTHER_NAMES[name] ?? "";
    const near = Object.hasOwn(known, other) ? other : nearNames(name, names)[0];
    const advice = near === undefined ? `they are ${names.join(", ")}` : `did you mean "${near}"?`;
    throw new TypeError(`"${name}" is not an option of ${what}: ${advice}`);
  }
}

/** A request of a text that is not sent. */
export interface SkippedRequest {
  /** From `# @name`, or else its title, or else its method and URL as they are written. */
  readonly name: string;
  /** The file that contains it, if the text imports it from one. */
  readonly file?: string | undefined;
  /** The line of its method and URL. */
  readonly line: number;
  /**
   * `disabled`: it has `# @disabled`. `empty-loop`: the list of its `# @loop` has no elements. `cancelled`: one of its
   * scripts has cancelled it. `not-reached`: what comes before it in the text has failed.
   */
  readonly reason: "disabled" | "empty-loop" | "cancelled" | "not-reached";
}

/** Options of a client and of each request: timeout, redirects, size limit, retries. */
export interface TransportOptions {
  /** Milliseconds for a request including its redirects and body; 0 for no limit. 30,000 by default. */
  readonly timeout?: number | undefined;
  /** `follow` by default; `manual` returns the 3xx itself; `error` throws a `NoResponseError`. */
  readonly redirect?: "follow" | "manual" | "error" | undefined;
  /** How many redirects are followed; 20 by default. */
  readonly maxRedirects?: number | undefined;
  /**
   * Whether a body with secrets may go to another origin, by a redirect or a further page; `false` by
   * default.
   */
  readonly crossOriginBody?: boolean | undefined;
  /** The charset of the response, whatever its Content-Type says: `windows-1252`, `shift_jis`. */
  readonly charset?: string | undefined;
  /** The maximum size of a response body in bytes, after decompression; 256 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * How often a request is retried after a failure or a 408, 413, 429, 500, 502, 503 or 504, with
   * growing delays; 0 by default. `Retry-After` is respected.
   */
  readonly retry?: number | RetryOptions | undefined;
}

/**
 * How a client connects to servers.
 *
 * @example
 * ```ts
 * const connection: ConnectionOptions = { proxy: "http://127.0.0.1:3128", noProxy: "localhost" };
 * ```
 */
export interface ConnectionOptions {
  /**
   * The URL of the proxy, such as `http://user:password@127.0.0.1:3128`; `false` to ignore HTTP_PROXY and
   * HTTPS_PROXY of the environment.
   */
  readonly proxy?: string | false | undefined;
  /** Hosts and networks without the proxy, as in NO_PROXY: `localhost,.example.com,10.0.0.0/8`. */
  readonly noProxy?: string | undefined;
  /** Additional trusted certificates: PEM text, or paths of PEM files. */
  readonly ca?: string | readonly string[] | undefined;
  /**
   * Accepts every certificate, so that others on the network can read and change the traffic. Each exchange
   * has a warning about it.
   */
  readonly insecure?: boolean | undefined;
  /** The client certificate and its key: PEM text, or paths of PEM files; or the path of a PKCS #12 file, or its bytes. */
  readonly clientCertificate?:
    | { readonly cert: string; readonly key: string; readonly passphrase?: string | undefined }
    | { readonly pfx: string | Uint8Array; readonly passphrase?: string | undefined }
    | undefined;
  /**
   * Whether to offer HTTP/2 to https servers, which choose (ALPN); `false` by default. `"prior-knowledge"` uses it
   * without asking, for http as well.
   */
  readonly http2?: boolean | "prior-knowledge" | undefined;
  /** Whether `..` and `.` in the path of a URL stay, as with `curl --path-as-is`. */
  readonly pathAsIs?: boolean | undefined;
  /** Whether compressed bodies are decompressed, as by default; otherwise their bytes stay as they came. */
  readonly decompress?: boolean | undefined;
  /** The server name for TLS (SNI), which the certificate must have; the host of the URL by default. */
  readonly servername?: string | undefined;
  /** Whether connections are kept for further requests, as by default. */
  readonly keepAlive?: boolean | undefined;
  /** The largest size of the headers of an answer in bytes; 16,384 by default. */
  readonly maxHeaderSize?: number | undefined;
  /** The path of the Unix socket of the server, as with `curl --unix-socket`; no proxy is used then. */
  readonly unixSocket?: string | undefined;
}

/** What a client sends with: the global `fetch`, or any function that is called as it is. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a fetch for connection options whose files have been read. */
export type Connect = (connection: ConnectionOptions) => Promise<Fetch> | Fetch;

/** Transport options with their defaults. */
export interface Settings extends Required<Omit<TransportOptions, "retry" | "charset">> {
  readonly charset?: string;
  /** Unset by default: then the retry option of ky applies. */
  readonly retry: KyRetry | undefined;
  /** Whether the timeout was set, and so applies to endless responses as well. */
  readonly isTimed: boolean;
}

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
 * The settings of a client, or of one request.
 *
 * @param base The settings of its client.
 * @throws {TypeError} An option is invalid.
 */
export function settingsOf(options: TransportOptions, base: Settings = DEFAULTS): Settings {
  const { timeout, redirect, maxRedirects, crossOriginBody, maxBodyBytes, retry, charset } =
    options;
  const settings: { -readonly [K in keyof Settings]: Settings[K] } = { ...base };
  if (timeout !== undefined) {
    settings.timeout = nonNegative("timeout", timeout);
    settings.isTimed = true;
  }
  if (redirect !== undefined) settings.redirect = redirectMode(redirect);
  if (maxRedirects !== undefined) settings.maxRedirects = nonNegative("maxRedirects", maxRedirects);
  if (crossOriginBody !== undefined)
    settings.crossOriginBody = flag("crossOriginBody", crossOriginBody);
  if (maxBodyBytes !== undefined) settings.maxBodyBytes = nonNegative("maxBodyBytes", maxBodyBytes);
  if (retry !== undefined) settings.retry = toKyRetry(retry);
  if (charset !== undefined) settings.charset = knownCharset(charset);
  return settings;
}

function knownCharset(value: string): string {
  if (isKnownCharset(value)) return value;
  throw new TypeError(
    `Cannot use "${value}" as charset: it is unknown; use a name such as "windows-1252" or "shift_jis"`,
  );
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
