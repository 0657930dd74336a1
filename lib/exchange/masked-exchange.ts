import type { AssertionResult } from "../assertions/mod.ts";
import {
  createMasker,
  hideCredential,
  isCredentialHeader,
  type Masker,
  type Masking,
} from "../secrets/mod.ts";
import {
  type Exchange,
  type HeaderList,
  type Redirect,
  type SavedBody,
  type SentRequest,
  sentHeaders,
} from "./exchange.ts";
import { receivedHeaders } from "./response-head.ts";

/** An exchange as it is shown: without secrets. All but the bodies is masked at once. */
export interface MaskedExchange {
  readonly request: Pick<SentRequest, "method" | "url" | "writtenUrl" | "headers">;
  readonly url: string;
  readonly statusText: string;
  readonly headers: HeaderList;
  readonly redirects: readonly Redirect[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  readonly saved: SavedBody | undefined;
  readonly assertions: readonly AssertionResult[];
  /** Masks the bodies, and keeps what it has searched. */
  readonly masker: Masker;
}

interface Kept {
  readonly masking: Masking;
  readonly revision: number;
  readonly assertions: Exchange["assertions"];
  readonly masked: MaskedExchange;
}

const KEPT = new WeakMap<Exchange, Kept>();

/**
 * The exchange without its secrets. Each part is searched once, however many forms show it, and again
 * only when the secrets have changed.
 *
 * @param masking Masks the secrets.
 * @param showsSecrets Whether the values of credential headers are shown, too.
 */
export function maskExchange(
  exchange: Exchange,
  masking: Masking,
  showsSecrets: boolean = false,
): MaskedExchange {
  if (showsSecrets) return createMaskedExchange(exchange, masking, true);
  const kept = KEPT.get(exchange);
  const { revision } = masking;
  const { assertions } = exchange;
  const isSame = kept?.revision === revision && kept.assertions === assertions;
  if (isSame && kept.masking === masking) return kept.masked;
  const masked = createMaskedExchange(exchange, masking, false);
  KEPT.set(exchange, { masking, revision, assertions, masked });
  return masked;
}

function createMaskedExchange(
  exchange: Exchange,
  masking: Masking,
  showsSecrets: boolean,
): MaskedExchange {
  const masker = createMasker(masking);
  const mask = (text: string): string => masker.mask(text);
  // An exchange of an older copy of the library has no notes and no assertions.
  const { request, redirects, warnings, notes = [], saved, assertions = [] } = exchange;
  const headers = receivedHeaders(exchange);
  return {
    masker,
    url: mask(exchange.url),
    statusText: mask(exchange.statusText),
    warnings: warnings.map(mask),
    notes: notes.map(mask),
    saved: saved && { ...saved, path: mask(saved.path) },
    assertions: assertions.map((result) => maskAssertion(result, mask)),
    headers: maskHeaders(headers, masker, masking, showsSecrets),
    redirects: redirects.map((hop) => ({
      ...hop,
      method: mask(hop.method),
      statusText: mask(hop.statusText),
      url: mask(hop.url),
      location: mask(hop.location),
    })),
    request: maskHead(request, masker, masking, showsSecrets),
  };
}

function maskHead(
  request: SentRequest,
  masker: Masker,
  masking: Masking,
  showsSecrets: boolean,
): MaskedExchange["request"] {
  return {
    method: masker.mask(request.method),
    url: masker.mask(request.url),
    writtenUrl: masker.mask(request.writtenUrl),
    headers: maskHeaders(sentHeaders(request), masker, masking, showsSecrets),
  };
}

/** The request line and the headers of a request without secrets. */
export function maskRequest(
  request: SentRequest,
  masking: Masking,
): Pick<SentRequest, "method" | "url" | "headers"> {
  const { method, url, headers } = maskHead(request, createMasker(masking), masking, false);
  return { method, url, headers };
}

/**
 * Headers without their secrets: credentials are hidden by the names of their headers, even those that are too common
 * to be searched for.
 *
 * @param showsSecrets Whether the values of credential headers are shown.
 */
export function maskHeaders(
  headers: HeaderList,
  masker: Masker,
  { isSecretName }: Masking,
  showsSecrets: boolean,
): HeaderList {
  return headers.map(([name, value]) => {
    const isCredential = !showsSecrets && (isCredentialHeader(name, value) || isSecretName(name));
    const masked = masker.mask(value);
    return [
      masker.mask(name),
      isCredential ? hideCredential(name, masked, (text) => text) : masked,
    ];
  });
}

const TEXTS = ["text", "name", "path", "expected", "actual", "message"] as const;

/** The result of an assertion without its secrets. */
export function maskAssertion(
  result: AssertionResult,
  mask: (text: string) => string,
): AssertionResult {
  const masked = TEXTS.flatMap((key) => {
    const text = result[key];
    return text === undefined ? [] : [[key, mask(text)] as const];
  });
  const { file } = result.location;
  const location = file === undefined ? result.location : { ...result.location, file: mask(file) };
  return { ...result, location, ...Object.fromEntries(masked) };
}

/**
 * Says what a request returned: `GET "https://example.com/users" returned 404 Not Found`.
 *
 * @param shown What is said of it, without its secrets if they are to be masked.
 */
export function describeResponse(
  exchange: Exchange,
  shown: Pick<MaskedExchange, "request" | "statusText"> = exchange,
): string {
  const { method, url } = shown.request;
  return `${method} "${url}" returned ${exchange.status} ${shown.statusText}`.trimEnd();
}
