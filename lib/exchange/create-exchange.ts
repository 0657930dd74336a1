import type { AssertionResult } from "../assertions/mod.ts";
import { findHeader } from "../request/mod.ts";
import { combineSecrets, markRevealed, type Secrets } from "../secrets/mod.ts";
import { dataFormat } from "./binary-data.ts";
import { isText, LOOKED_AT, parseMediaType } from "./charset.ts";
import { type Content, createContent, measure, ReceivedBody } from "./content.ts";
import { StatusError } from "./errors.ts";
import {
  type DisplayData,
  denoInspect,
  type Exchange,
  type ExchangeHop,
  jupyterDisplay,
  nodeInspect,
  type Redirect,
  type SavedBody,
  type SentRequest,
  type Show,
  type Sizes,
  type Timing,
} from "./exchange.ts";
import { writeRequest } from "./export-request.ts";
import { describeResponse, maskExchange } from "./masked-exchange.ts";
import {
  type ConnectionDetails,
  decodedHeaders,
  type StatusClass,
  statusClass,
} from "./response-head.ts";

/** What an exchange is made of. */
interface ExchangeParts {
  readonly request: SentRequest;
  readonly url: string;
  readonly response: Pick<Response, "status" | "statusText" | "headers">;
  readonly content: Content;
  /** What a schema has made of its JSON. */
  readonly checked?: { readonly json: unknown } | undefined;
  readonly cut: boolean;
  readonly cutReason?: string | undefined;
  readonly saved?: SavedBody | undefined;
  readonly connection?: ConnectionDetails | undefined;
  readonly timing: Timing;
  readonly redirects: readonly Redirect[];
  readonly hops?: readonly ExchangeHop[];
  readonly warnings: readonly string[];
  readonly notes?: readonly string[];
  readonly assertions?: readonly AssertionResult[];
  readonly secrets: readonly Secrets[];
  readonly show: Show;
}

/** Creates an exchange. Its text, JSON and sizes are computed when they are first read. */
export function createExchange(parts: ExchangeParts): Exchange {
  return new ReceivedExchange(parts);
}

/** A copy of an exchange that is displayed with its secrets. */
export function revealExchange(exchange: Exchange): Exchange {
  return exchange instanceof ReceivedExchange ? ReceivedExchange.reveal(exchange) : exchange;
}

/**
 * The exchange of a WebSocket without the times of its messages, which differ whenever the same messages are
 * exchanged again. Other exchanges are returned as they are.
 */
export function withoutMessageTimes(exchange: Exchange): Exchange {
  const isConversation = exchange.request.method === "WEBSOCKET";
  if (!isConversation || !(exchange instanceof ReceivedExchange)) return exchange;
  // Each record is a line: parsing them would change the digits of numbers.
  const text = exchange.text.replace(/^(\[?\{)"at":[\d.]+,/gm, "$1");
  const content = createContent([new TextEncoder().encode(text)]);
  return ReceivedExchange.copy(exchange, { content });
}

/** A copy of an exchange whose `json` is what a schema has made of it. */
export function withJson<Body>(exchange: Exchange, json: Body): Exchange<Body> {
  return ReceivedExchange.copy(exchange as ReceivedExchange, {
    checked: { json },
  }) as Exchange<Body>;
}

/**
 * The JSON of a body as it was received, whatever a schema has made of it.
 *
 * @throws {SyntaxError} The body is not valid JSON.
 */
export function receivedJson(exchange: Exchange): unknown {
  return exchange instanceof ReceivedExchange ? ReceivedExchange.jsonOf(exchange) : exchange.json;
}

/** Whether a value is an exchange of this copy of the library. */
export function isReceived(value: unknown): value is Exchange {
  return value instanceof ReceivedExchange;
}

/** The body of an exchange, also of one that another copy of the library created. */
export function contentOf(exchange: Exchange): Content {
  return exchange instanceof ReceivedExchange
    ? ReceivedExchange.contentOf(exchange)
    : createContent([exchange.bytes]);
}

/** Whether a schema may have made another value of `json` than the one that was received. */
export function isChecked(exchange: Exchange): boolean {
  return exchange instanceof ReceivedExchange && ReceivedExchange.isChecked(exchange);
}

/** The text of a body as far as it was searched for secrets when it arrived. */
export function beginningOf(exchange: Exchange): string {
  return exchange instanceof ReceivedExchange
    ? ReceivedExchange.beginningOf(exchange)
    : exchange.text.slice(0, LOOKED_AT);
}

/** Whether the body of an exchange is a text, whatever its media type. */
export function isTextual(exchange: Exchange): boolean {
  return isText(beginningOf(exchange));
}

/** Adds the results of assertions, which are evaluated when the exchange is complete. */
export function addAssertions(exchange: Exchange, results: readonly AssertionResult[]): void {
  if (results.length === 0) return;
  const { assertions } = exchange;
  Object.assign(exchange, { assertions: [...assertions, ...results] });
}

/** Notes how often a request was sent until this response, by `# @retry … every …`, and whether it is sent again. */
export function noteTries(exchange: Exchange, tries: number, isLast: boolean): void {
  if (!isLast) Object.assign(exchange, { isRepeated: true });
  else if (tries > 1) {
    const notes = [
      ...exchange.notes,
      `Sent ${tries} times by "# @retry"; this is the last response`,
    ];
    Object.assign(exchange, { tries, notes });
  }
}

const SUPERSEDED = new WeakSet<Exchange>();

/** Notes that the name of an exchange refers to another one, or to none, from now on. */
export function supersede(exchange: Exchange): void {
  SUPERSEDED.add(exchange);
}

/** Whether the name of an exchange no longer refers to it. */
export function isSuperseded(exchange: Exchange): boolean {
  return SUPERSEDED.has(exchange);
}

/**
 * `structuredClone` refuses an exchange for its functions, and V8 quotes the code of the first. A getter that throws would
 * say it on every engine, and would also break whoever compares exchanges.
 */
const REFUSE_TO_CLONE = {
  "Clone what is needed of an exchange: its json, text or bytes, or its toJSON(). It"() {
    // Nobody calls it.
  },
};

class ReceivedExchange implements Exchange {
  // The first property that is cloned.
  readonly clone: unknown = Object.values(REFUSE_TO_CLONE)[0];
  readonly request: SentRequest;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly cut: boolean;
  readonly cutReason: string | undefined;
  readonly saved: SavedBody | undefined;
  readonly connection: ConnectionDetails | undefined;
  readonly timing: Timing;
  readonly redirects: readonly Redirect[];
  readonly hops: readonly ExchangeHop[];
  readonly notes: readonly string[];
  readonly assertions: readonly AssertionResult[];
  declare readonly tries: number | undefined;
  declare readonly isRepeated: boolean | undefined;
  readonly secrets: readonly Secrets[];
  readonly #body: ReceivedBody;
  readonly #show: Show;
  readonly #warnings: readonly string[];
  readonly #checked: ExchangeParts["checked"];
  #sizes: Sizes | undefined;

  constructor({ response, content, show, ...parts }: ExchangeParts) {
    this.request = parts.request;
    this.url = parts.url;
    this.status = response.status;
    this.statusText = response.statusText;
    this.headers = decodedHeaders(response.headers);
    this.cut = parts.cut;
    this.cutReason = parts.cutReason;
    this.saved = parts.saved;
    this.connection = parts.connection;
    this.timing = parts.timing;
    this.redirects = parts.redirects;
    this.hops = parts.hops ?? [];
    this.notes = parts.notes ?? [];
    this.assertions = parts.assertions ?? [];
    this.secrets = parts.secrets;
    const type = parseMediaType(response.headers.get("content-type"), this.request.charset);
    this.#body = new ReceivedBody(content, type, parts.secrets);
    this.#show = show;
    this.#warnings = parts.warnings;
    this.#checked = parts.checked;
  }

  static reveal(exchange: ReceivedExchange): Exchange {
    return markRevealed(ReceivedExchange.copy(exchange, {}), exchange);
  }

  static copy(
    exchange: ReceivedExchange,
    { content = exchange.#body.content, checked = exchange.#checked }: Partial<ExchangeParts>,
  ): ReceivedExchange {
    const copy = new ReceivedExchange({
      ...exchange,
      response: exchange,
      content,
      checked,
      warnings: exchange.#warnings,
      show: exchange.#show,
    });
    if (isSuperseded(exchange)) supersede(copy);
    const { tries, isRepeated } = exchange;
    return Object.assign(copy, tries && { tries }, isRepeated && { isRepeated });
  }

  static contentOf(exchange: ReceivedExchange): Content {
    return exchange.#body.content;
  }

  static jsonOf(exchange: ReceivedExchange): unknown {
    return exchange.#body.json;
  }

  static isChecked(exchange: ReceivedExchange): boolean {
    return exchange.#checked !== undefined;
  }

  static beginningOf(exchange: ReceivedExchange): string {
    return exchange.#body.beginning.text;
  }

  get bytes(): Uint8Array {
    return this.#body.content.whole();
  }

  get statusClass(): StatusClass {
    return statusClass(this.status);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get mediaType(): string {
    return this.#body.type.essence;
  }

  get warnings(): readonly string[] {
    const { content, type, beginning } = this.#body;
    const { warning } = beginning;
    const isData = warning !== undefined && dataFormat(type.essence, content) !== undefined;
    return warning === undefined || isData ? this.#warnings : [...this.#warnings, warning];
  }

  get text(): string {
    return this.#body.text;
  }

  get json(): unknown {
    return (this.#checked ?? this.#body).json;
  }

  orThrow(): this {
    if (this.ok) return this;
    const masked = maskExchange(this, combineSecrets(this.secrets));
    const error = new StatusError(describeResponse(this, masked), this);
    Error.captureStackTrace?.(error, this.orThrow);
    throw error;
  }

  get sizes(): Sizes {
    this.#sizes ??= measure(this, this.saved?.bytes ?? this.#body.content.length);
    return this.#sizes;
  }

  toCurl(): string {
    return writeRequest(this, "curl");
  }

  toFetch(): string {
    return writeRequest(this, "fetch");
  }

  toHttp(): string {
    return writeRequest(this, "http");
  }

  toJSON(): unknown {
    return toPlainData(this);
  }

  toString(): string {
    return this.#show(this)["text/plain"];
  }

  [jupyterDisplay](): DisplayData {
    return this.#show(this);
  }

  [nodeInspect](): string {
    return this.toString();
  }

  [denoInspect](): string {
    return this.toString();
  }
}

const MAX_TEXT = 65_536;

/**
 * Converts an exchange to plain data for `JSON.stringify`: text bodies up to 64 Ki characters, the size
 * of other bodies, credentials and secrets masked.
 */
function toPlainData(exchange: Exchange): unknown {
  const masked = maskExchange(exchange, combineSecrets(exchange.secrets));
  const body = (content: string | Uint8Array | undefined, mediaType: string): unknown => {
    if (content === undefined) return undefined;
    if (typeof content !== "string") return { bytes: content.byteLength };
    return masked.masker.body(content, mediaType, MAX_TEXT).slice(0, MAX_TEXT);
  };
  const { request, timing } = exchange;
  const { method, url, headers } = masked.request;
  const { essence } = parseMediaType(findHeader(request.headers, "content-type") ?? null);
  return {
    request: {
      ...(request.name === undefined ? {} : { name: request.name }),
      method,
      url,
      headers,
      body: body(request.body, essence),
    },
    url: masked.url,
    status: exchange.status,
    statusText: masked.statusText,
    statusClass: exchange.statusClass,
    headers: masked.headers,
    body:
      exchange.saved === undefined && isTextual(exchange)
        ? body(exchange.text, exchange.mediaType)
        : { bytes: exchange.sizes.response.body },
    cut: exchange.cut,
    ...(masked.saved && { saved: masked.saved }),
    timing: { ...timing, startedAt: timing.startedAt.toISOString() },
    sizes: exchange.sizes,
    redirects: masked.redirects,
    warnings: masked.warnings,
    notes: masked.notes,
    assertions: masked.assertions,
  };
}
