import { combineSecrets, markRevealed, type Secrets } from "../secrets/mod.ts";
import {
  type Content,
  createContent,
  decodeText,
  isKnownCharset,
  type MediaType,
  parseJson,
  parseMediaType,
} from "./body/mod.ts";
import {
  type DisplayData,
  type Exchange,
  jupyterDisplay,
  type Redirect,
  type SentRequest,
  type Sizes,
  type Timing,
} from "./exchange.ts";
import { toCurl, toFetch, toHttp } from "./export-request.ts";
import { denoInspect, nodeInspect, type Show } from "./show.ts";
import { measure } from "./sizes.ts";
import { type StatusClass, statusClass } from "./status-class.ts";
import { toPlainData } from "./to-plain-data.ts";

/** What an exchange is made of. */
export interface ExchangeParts {
  readonly request: SentRequest;
  readonly url: string;
  readonly response: Pick<Response, "status" | "statusText" | "headers">;
  readonly content: Content;
  readonly cut: boolean;
  readonly cutReason?: string | undefined;
  readonly timing: Timing;
  readonly redirects: readonly Redirect[];
  readonly warnings: readonly string[];
  readonly secrets: readonly Secrets[];
  readonly show: Show;
}

/** So many bytes of a body are looked through for secrets before a program asks for its text. */
export const LOOKED_AT = 1_048_576;

/** Makes an exchange; its text, JSON and sizes are worked out when they are first asked for. */
export function createExchange(parts: ExchangeParts): Exchange {
  return new ReceivedExchange(parts);
}

/** An exchange that as a result is shown with its secrets; the one that is given, and kept, is not. */
export function revealExchange(exchange: Exchange): Exchange {
  return exchange instanceof ReceivedExchange ? ReceivedExchange.reveal(exchange) : exchange;
}

/** Whether a value is an exchange of this copy of the library. */
export function isReceived(value: unknown): value is Exchange {
  return value instanceof ReceivedExchange;
}

/** The body of an exchange; one that an older copy of the library made has it in one piece. */
export function contentOf(exchange: Exchange): Content {
  return exchange instanceof ReceivedExchange
    ? ReceivedExchange.contentOf(exchange)
    : createContent([exchange.bytes]);
}

/** A class for its prototype: getters and methods are shared by all exchanges of a history. */
class ReceivedExchange implements Exchange {
  readonly request: SentRequest;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly cut: boolean;
  readonly cutReason: string | undefined;
  readonly timing: Timing;
  readonly redirects: readonly Redirect[];
  readonly warnings: readonly string[];
  readonly secrets: readonly Secrets[];
  readonly #content: Content;
  readonly #show: Show;
  readonly #type: MediaType;
  #text: string | undefined;
  #json: { readonly value: unknown } | undefined;
  #sizes: Sizes | undefined;

  constructor(parts: ExchangeParts) {
    this.request = parts.request;
    this.url = parts.url;
    this.status = parts.response.status;
    this.statusText = parts.response.statusText;
    this.headers = parts.response.headers;
    this.#content = parts.content;
    this.cut = parts.cut;
    this.cutReason = parts.cutReason;
    this.timing = parts.timing;
    this.redirects = parts.redirects;
    this.secrets = parts.secrets;
    this.#show = parts.show;
    this.#type = parseMediaType(parts.response.headers.get("content-type"));
    this.warnings = isKnownCharset(this.#type.charset)
      ? parts.warnings
      : [...parts.warnings, ...charsetWarning(parts.content.head(3), this.#type.charset)];
  }

  static reveal(exchange: ReceivedExchange): Exchange {
    const parts = {
      ...exchange,
      response: exchange,
      content: exchange.#content,
      show: exchange.#show,
    };
    const copy = new ReceivedExchange(parts);
    // What was said of the character set has been said.
    return markRevealed(Object.assign(copy, { warnings: exchange.warnings }), exchange);
  }

  static contentOf(exchange: ReceivedExchange): Content {
    return exchange.#content;
  }

  get bytes(): Uint8Array {
    return this.#content.whole();
  }

  get statusClass(): StatusClass {
    return statusClass(this.status);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get mediaType(): string {
    return this.#type.essence;
  }

  get text(): string {
    if (this.#text === undefined) {
      this.#text = decodeText(this.#content.whole(), this.#type.charset).text;
      // Of a long body only the head was looked at when it came; now code can take what it likes.
      if (this.#content.length > LOOKED_AT) {
        const text = this.#text;
        for (const secrets of this.secrets)
          secrets.learn({ kind: "body", text: () => text, mediaType: this.mediaType }, "server");
      }
    }
    return this.#text;
  }

  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  get json(): any {
    this.#json ??= { value: this.text.trim() === "" ? undefined : this.#parse(this.text) };
    return this.#json.value;
  }

  #parse(text: string): unknown {
    return parseJson(text, (it) => combineSecrets(this.secrets).locate(it));
  }

  get sizes(): Sizes {
    this.#sizes ??= measure(this, this.#content.length);
    return this.#sizes;
  }

  toCurl(): string {
    return toCurl(this);
  }

  toFetch(): string {
    return toFetch(this);
  }

  toHttp(): string {
    return toHttp(this);
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

/** @param bytes The first ones: with a mark of their own the charset does not count. */
function charsetWarning(bytes: Uint8Array, charset: string | undefined): string[] {
  const { warning } = decodeText(bytes, charset);
  return warning === undefined ? [] : [warning];
}
