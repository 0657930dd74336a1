import { decodeText, type Exchange, parseMediaType } from "../exchange/mod.ts";
import { findHeader } from "../request/mod.ts";
import { holdsSecret, isCredentialHeader } from "../secrets/mod.ts";
import { isStreamed } from "./body-out.ts";
import type { SendOptions } from "./options.ts";
import { type Outgoing, type ResolvedRequest, withHeader } from "./outgoing.ts";
import type { Send } from "./send.ts";

/** The option with which a request joins a chain that another request began: the pages of a listing. */
export const CHAIN: unique symbol = Symbol("restlab.chain");

/** A chain of requests. */
export interface Chain {
  /** The URL of the first request; left out for that one. */
  readonly home?: URL;
  /** Changes the URL of a request text, for the first page of a listing. */
  readonly toFirst?: (url: string) => string;
  /** Called with the request before middleware adds anything to it, and with its own options. */
  readonly onSending?: (request: ResolvedRequest, options: SendOptions) => void;
  /** Evaluates the assertions of a request text on a response, for the pages that are not sent as text. */
  readonly check?: (exchange: Exchange) => Promise<void>;
}

/** Options of a request that may belong to a chain. */
export interface ChainedOptions {
  readonly [CHAIN]?: Chain;
}

/**
 * Keeps the secrets of a request at the origin that they are for, that of the first request of a chain: removes the
 * credentials that the request itself contains from a hop to another origin, and warns. Those of a URL are added.
 */
export function withinOrigin(send: Send, hop: Outgoing): Outgoing {
  const allowed = isHome(send, hop.url) ? hop : withoutCredentials(send, hop);
  const { authorization } = hop;
  return authorization === undefined
    ? allowed
    : withHeader(allowed, "Authorization", authorization);
}

function withoutCredentials({ context, credentials, warnings }: Send, hop: Outgoing): Outgoing {
  const { secrets } = context;
  const isCredential = ([name, value]: Outgoing["headers"][number]): boolean =>
    isCredentialHeader(name, value) ||
    secrets.isSecretName(name) ||
    secrets.locate(value).length > 0;
  const removed = hop.headers.filter(isCredential);
  const names = new Set(removed.map(([name]) => name));
  if (credentials !== undefined) names.add("the credentials");
  const warning = `Not sent on to ${hop.url.origin}, another origin: ${[...names].join(", ")}`;
  // Several hops in a row may go to the same origin.
  if (names.size > 0 && !warnings.includes(warning)) warnings.push(warning);
  return { ...hop, headers: hop.headers.filter((header) => !removed.includes(header)) };
}

/** Whether a URL has the origin of the chain, to which credentials and bodies with secrets may go. */
export function isHome({ home }: Send, url: URL): boolean {
  return isOwnOrigin(url, home);
}

/**
 * Whether credentials for one URL may go to another: if scheme, host and port are the same, or if
 * `http` became `https` on the same host with default ports.
 */
export function isOwnOrigin(url: URL, home: URL): boolean {
  if (url.origin === home.origin) return true;
  const isUpgrade = home.protocol === "http:" && url.protocol === "https:";
  return isUpgrade && url.hostname === home.hostname && home.port === "" && url.port === "";
}

/** Characters of a body that are searched, which takes a second or two. */
const SEARCH_LIMIT = 33_554_432;
const HOW_TO_ALLOW =
  "set crossOriginBody: true, or write # @cross-origin-body above the request, to send it anyway";

/** Returns why the body of a hop may not be sent to its URL; `undefined` if it may. */
export function bodyRefusal(send: Send, { url, body }: Outgoing): string | undefined {
  if (body === undefined || send.settings.crossOriginBody || isHome(send, url)) return undefined;
  const reason = bodyProblem(send, body);
  return reason && `${reason}, and ${url.origin} is another origin; ${HOW_TO_ALLOW}`;
}

function bodyProblem(
  { context: { secrets }, outgoing, request }: Send,
  body: NonNullable<Outgoing["body"]>,
): string | undefined {
  if (isStreamed(body)) return "its body is streamed and cannot be searched for secrets";
  const type = parseMediaType(findHeader(request.headers, "content-type") ?? null);
  // A hook may have replaced it; what is compressed is searched as it was before.
  const plain = body === outgoing.body ? (request.uncompressed ?? body) : body;
  const text = typeof plain === "string" ? plain : decodeText(plain, type).text;
  if (text.length > SEARCH_LIMIT) return "its body is too large to be searched for secrets";
  const isNamed = holdsSecret(
    { kind: "body", text, mediaType: type.essence },
    secrets.isSecretName,
  );
  return isNamed || secrets.locate(text).length > 0 ? "its body contains secrets" : undefined;
}
