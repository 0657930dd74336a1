import {
  decodeText,
  type HeaderList,
  LOOKED_AT,
  messageOf,
  parseMediaType,
} from "../exchange/mod.ts";
import { findHeader } from "../request/mod.ts";
import { holdsSecret, isCredentialHeader, type Secrets } from "../secrets/mod.ts";
import { type Hop, type Middleware, type Warn, withHeader } from "./attempt.ts";
import type { SendOptions } from "./options.ts";
import type { ResolvedRequest } from "./prepare.ts";
import { isStreamed } from "./streamed-body.ts";

/**
 * Keeps the secrets of a request at the origin that they are for: that of the first request of a chain,
 * which includes redirects and further pages.
 */
export interface OriginRule {
  /** Removes credentials that the request itself contains from a hop to another origin, and warns. */
  readonly middleware: Middleware;
  /** Applies middleware that adds credentials only to hops to the origin of the chain. */
  guard(middleware: Middleware): Middleware;
  /** Returns why the body may not be sent to the URL of the hop; `undefined` if it may. */
  bodyRefusal(hop: Pick<Hop, "url" | "body">): Promise<string | undefined>;
}

interface OriginRuleParts {
  /** The first URL of the chain. */
  readonly home: URL;
  /** The request before it is compressed. */
  readonly request: Pick<ResolvedRequest, "headers" | "body">;
  /** The body as it is sent, compressed if asked to; a hook may replace it. */
  readonly body: Hop["body"];
  readonly secrets: Secrets;
  /** Whether middleware adds credentials. */
  readonly hasCredentials: boolean;
  /** Whether a body with secrets may go to other origins. */
  readonly crossOriginBody: boolean;
  readonly warn: Warn;
}

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
}

/** Options of a request that may belong to a chain. */
export interface ChainedOptions {
  readonly [CHAIN]?: Chain;
}

const HOW_TO_ALLOW =
  "set crossOriginBody: true, or write # @cross-origin-body above the request, to send it anyway";

/** Creates the rule for one request and its redirects. */
export function createOriginRule(parts: OriginRuleParts): OriginRule {
  const { home, secrets, hasCredentials, warn } = parts;
  const warnings = new Set<string>();
  const isHome = (url: URL): boolean => isOwnOrigin(url, home);
  // Several hops in a row may go to the same origin.
  const warnOnce = (warning: string): void => {
    if (!warnings.has(warning)) warn(warning);
    warnings.add(warning);
  };
  function withoutCredentials(hop: Hop): Hop {
    const removed = hop.headers.filter((header) => isCredential(header, secrets));
    const names = new Set(removed.map(([name]) => name));
    if (hasCredentials) names.add("the credentials");
    if (names.size > 0) {
      warnOnce(`Not sent on to ${hop.url.origin}, another origin: ${[...names].join(", ")}`);
    }
    return { ...hop, headers: hop.headers.filter((header) => !removed.includes(header)) };
  }
  function apply(hop: Hop): Hop {
    const allowed = isHome(hop.url) ? hop : withoutCredentials(hop);
    const { authorization } = hop;
    return authorization === undefined
      ? allowed
      : withHeader(allowed, "Authorization", authorization);
  }

  return {
    middleware: (next) => (hop) => next(apply(hop)),
    guard: (middleware) => (next) => {
      const guarded = middleware(next);
      return (hop) => (isHome(hop.url) ? guarded(hop) : next(hop));
    },
    async bodyRefusal({ url, body }) {
      if (body === undefined || parts.crossOriginBody || isHome(url)) return undefined;
      const { request } = parts;
      const isUnchanged = body === parts.body;
      const reason = await findBodySecrets(isUnchanged ? request : { ...request, body }, secrets);
      return reason && `${reason}, and ${url.origin} is another origin; ${HOW_TO_ALLOW}`;
    },
  };
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

function isCredential([name, value]: HeaderList[number], secrets: Secrets): boolean {
  return (
    isCredentialHeader(name, value) ||
    secrets.isSecretName(name) ||
    secrets.locate(value).length > 0
  );
}

/** Characters of a body that are searched, which takes a second or two. */
const SEARCH_LIMIT = 33_554_432;
/** Twice the longest known secret, since its escapes may take as much again. */
const OVERLAP = 131_072;

/** Returns why a body may not go to another origin; `undefined` if no secret was found in it. */
async function findBodySecrets(
  { body, headers }: Pick<ResolvedRequest, "headers" | "body">,
  secrets: Secrets,
): Promise<string | undefined> {
  const { essence, charset } = parseMediaType(findHeader(headers, "content-type") ?? null);
  let searched = 0;
  try {
    for await (const text of textsOf(body, charset)) {
      const isFirst = searched === 0;
      searched += text.length;
      if (searched > SEARCH_LIMIT) return "its body is too large to be searched for secrets";
      // A body is parsed for names as a whole, so the later pieces of a stream cannot be.
      const isNamed =
        isFirst && holdsSecret({ kind: "body", text, mediaType: essence }, secrets.isSecretName);
      if (isNamed || secrets.locate(text).length > 0) return "its body contains secrets";
    }
  } catch (error) {
    return `its body cannot be searched for secrets (${messageOf(error)})`;
  }
  return undefined;
}

/** The text of a body; of a stream, pieces that overlap. */
async function* textsOf(
  body: ResolvedRequest["body"],
  charset: string | undefined,
): AsyncGenerator<string, void, undefined> {
  if (body === undefined) return;
  if (!isStreamed(body)) {
    yield typeof body === "string" ? body : decodeText(body, charset).text;
    return;
  }
  const decoder = new TextDecoder();
  const reader = body.stream().getReader();
  let window = "";
  let isNew = false;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      window += decoder.decode(step.value, { stream: true });
      isNew = window.length < LOOKED_AT;
      if (isNew) continue;
      yield window;
      window = window.slice(-OVERLAP);
    }
    if (isNew) yield window;
  } finally {
    await reader.cancel();
  }
}
