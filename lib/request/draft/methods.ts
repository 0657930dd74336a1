import { nearNames } from "../../interpolation/mod.ts";

/** What people mean when they mistype a method. */
const COMMON = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/**
 * The methods of the IANA registry, those of caches, secret stores and UPnP, and the words that stand
 * in place of a method in the peers' files.
 */
const KNOWN: ReadonlySet<string> = new Set([
  ...COMMON,
  ..."QUERY ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY".split(
    " ",
  ),
  ..."MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE ORDERPATCH PRI PROPFIND PROPPATCH".split(" "),
  ..."REBIND REPORT SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF".split(" "),
  ..."VERSION-CONTROL PURGE BAN REFRESH LIST SUBSCRIBE UNSUBSCRIBE NOTIFY M-SEARCH SOURCE".split(
    " ",
  ),
  ..."GRAPHQL WEBSOCKET WS SSE GRPC MQTT AMQP RSOCKET GRAPHQLWS".split(" "),
]);

/** Words with which the peers' files begin what is neither HTTP nor a WebSocket. */
const FOREIGN: ReadonlySet<string> = new Set(["GRPC", "MQTT", "AMQP", "RSOCKET", "GRAPHQLWS"]);

const TOKEN = /^[A-Za-z][\w!#$%&'*+^`|~-]*$/;

/** Whether a word can be a method at all. */
export function isMethodToken(word: string): boolean {
  return TOKEN.test(word);
}

/** Whether a method is a known one in upper case. */
export function isKnownMethod(word: string): boolean {
  return KNOWN.has(word);
}

/** Whether a word says that something else than HTTP is to be spoken. */
export function isForeignProtocol(word: string): boolean {
  return FOREIGN.has(word);
}

/** Whether a word, in whatever case, is one of the methods that everybody uses. */
export function isCommonMethod(word: string): boolean {
  return COMMON.includes(word.toUpperCase());
}

/** The method that a word stands for: known ones in upper case, any other as written. */
export function toMethod(word: string): string {
  const upper = word.toUpperCase();
  return KNOWN.has(upper) ? upper : word;
}

/** The common method that an unknown word was probably meant to be: a typo or a beginning of it. */
export function nearMethod(word: string): string | undefined {
  const upper = word.toUpperCase();
  if (KNOWN.has(upper)) return undefined;
  const begun = upper.length < 3 ? undefined : COMMON.find((method) => method.startsWith(upper));
  return begun ?? nearNames(upper, COMMON, 1)[0];
}
