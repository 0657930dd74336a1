import type { HeaderList } from "../exchange/mod.ts";
import { isCredentialHeader, type Secrets } from "../secrets/mod.ts";
import type { Hop, ResolvedRequest } from "./request/mod.ts";
import { type Middleware, type Tell, withHeader } from "./request/mod.ts";
import { whySecretBody } from "./secret-body.ts";
import type { SendOptions } from "./send-options.ts";

/**
 * Where the secrets of a request may go. The origin of the first request of a chain, with its
 * redirects and its further pages, is the one that they are for; to any other one they are not sent.
 */
export interface OriginRule {
  /** Takes written credentials out of a hop that goes elsewhere, and says which. */
  readonly middleware: Middleware;
  /** Lets middleware that adds credentials have its say at the origin of the chain alone. */
  guard(middleware: Middleware): Middleware;
  /** Why the body of a hop may not go where the hop goes; `undefined` where it may. */
  whyNoBody(hop: Pick<Hop, "url" | "body">): Promise<string | undefined>;
}

/** What the rule needs to know of a request. */
export interface OriginRuleParts {
  /** The first URL of the chain. */
  readonly home: URL;
  /** The request before it is compressed. */
  readonly request: Pick<ResolvedRequest, "headers" | "body">;
  /** Its body as it goes out, compressed where that is wanted; a hook may put another one in its place. */
  readonly body: Hop["body"];
  readonly secrets: Secrets;
  /** Whether middleware adds credentials to it. */
  readonly hasCredentials: boolean;
  /** Whether a body with secrets may go to other origins. */
  readonly crossOriginBody: boolean;
  readonly tell: Tell;
}

/** The option by which a request joins a chain that another one has begun: the pages of a listing. */
export const CHAIN: unique symbol = Symbol("restlab.chain");

/** A chain of requests. */
export interface Chain {
  /** The URL of its first request; left out for that one. */
  readonly home?: URL;
  /** Called with each request before anything is added to it on its way, and with its own options. */
  readonly onSending?: (request: ResolvedRequest, options: SendOptions) => void;
}

/** Options of a request that may belong to a chain. */
export interface ChainedOptions {
  readonly [CHAIN]?: Chain;
}

const HOW_TO_ALLOW =
  "set crossOriginBody: true, or write # @cross-origin-body above the request, to send it all the same";

/** Creates the rule for one request and its redirects. */
export function createOriginRule(parts: OriginRuleParts): OriginRule {
  const { home, secrets, hasCredentials, tell } = parts;
  const told = new Set<string>();
  const isHome = (url: URL): boolean => isOwnOrigin(url, home);
  /** Hops that follow one another at a foreign origin are told of once. */
  const tellOnce = (warning: string): void => {
    if (!told.has(warning)) tell(warning);
    told.add(warning);
  };
  function prepare(hop: Hop): Hop {
    const { url, headers, authorization } = hop;
    let allowed = hop;
    if (!isHome(url)) {
      const held = headers.filter((header) => isCredential(header, secrets));
      const names = new Set(held.map(([name]) => name));
      if (hasCredentials) names.add("the credentials");
      if (names.size > 0) {
        tellOnce(`Not sent on to ${url.origin}, another origin: ${[...names].join(", ")}`);
      }
      allowed = { ...hop, headers: headers.filter((header) => !held.includes(header)) };
    }
    if (authorization === undefined) return allowed;
    return withHeader(allowed, "Authorization", authorization);
  }

  return {
    middleware: (next) => (hop) => next(prepare(hop)),
    guard: (middleware) => (next) => {
      const guarded = middleware(next);
      return (hop) => (isHome(hop.url) ? guarded(hop) : next(hop));
    },
    async whyNoBody({ url, body }) {
      if (body === undefined || parts.crossOriginBody || isHome(url)) return undefined;
      const { request } = parts;
      const isOwn = body === parts.body;
      const reason = await whySecretBody(isOwn ? request : { ...request, body }, secrets);
      return reason && `${reason}, and ${url.origin} is another origin; ${HOW_TO_ALLOW}`;
    },
  };
}

/**
 * Whether credentials for one URL may go to another: scheme, host and port are the same, or `http`
 * became `https` on the same host, each at its usual port.
 */
export function isOwnOrigin(url: URL, home: URL): boolean {
  if (url.origin === home.origin) return true;
  const isUpgrade = home.protocol === "http:" && url.protocol === "https:";
  return isUpgrade && url.hostname === home.hostname && home.port === "" && url.port === "";
}

function isCredential([name, value]: HeaderList[number], secrets: Secrets): boolean {
  return isCredentialHeader(name) || secrets.isSecretName(name) || secrets.locate(value).length > 0;
}
