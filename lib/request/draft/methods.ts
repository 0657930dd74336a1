import { nearNames } from "../../interpolation/mod.ts";

/** The methods to suggest for a mistyped one. */
const COMMON = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/**
 * The methods of the IANA registry, of caches, secret stores and UPnP, and the words that request files have in
 * place of a method.
 */
const KNOWN: ReadonlySet<string> = new Set([
  ...COMMON,
  ...`QUERY ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR
    MKCOL MKREDIRECTREF MKWORKSPACE MOVE ORDERPATCH PRI PROPFIND PROPPATCH REBIND REPORT SEARCH UNBIND
    UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL
    PURGE BAN REFRESH LIST SUBSCRIBE UNSUBSCRIBE NOTIFY M-SEARCH SOURCE
    GRAPHQL WEBSOCKET WS SSE GRPC MQTT AMQP RSOCKET GRAPHQLWS`.split(/\s+/),
]);

/** Words for protocols that are not supported. */
const FOREIGN: ReadonlySet<string> = new Set(["GRPC", "MQTT", "AMQP", "RSOCKET", "GRAPHQLWS"]);

const TOKEN = /^[A-Za-z][\w!#$%&'*+^`|~-]*$/;

/** Whether a word can be a method (RFC 9110, 9.1). */
export function isMethodToken(word: string): boolean {
  return TOKEN.test(word);
}

/** Whether a word is a known method in upper case. */
export function isKnownMethod(word: string): boolean {
  return KNOWN.has(word);
}

/** Whether a word stands for a protocol that is not supported. */
export function isForeignProtocol(word: string): boolean {
  return FOREIGN.has(word);
}

/** Whether a word is a common method, in any letter case. */
export function isCommonMethod(word: string): boolean {
  return COMMON.includes(word.toUpperCase());
}

/** Converts a known method to upper case; others are unchanged. */
export function toMethod(word: string): string {
  const upper = word.toUpperCase();
  return KNOWN.has(upper) ? upper : word;
}

/** The common method that an unknown word is probably a typo or a prefix of. */
export function nearMethod(word: string): string | undefined {
  const upper = word.toUpperCase();
  if (KNOWN.has(upper)) return undefined;
  const begun = upper.length < 3 ? undefined : COMMON.find((method) => method.startsWith(upper));
  return begun ?? nearNames(upper, COMMON, 1)[0];
}
