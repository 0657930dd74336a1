/** What becomes of a written header that a request over fetch cannot carry as it stands. */
type HeaderRule = (value: string, context: HeaderContext) => string | undefined;

/** What a rule may have to compare with. */
export interface HeaderContext {
  readonly host: () => string;
  readonly bodyLength: () => number;
}

const OF_THE_CONNECTION: HeaderRule = () => "the connection is managed by the runtime";

/**
 * Headers that are left out, with the reason, or `undefined` where nothing is lost by it. Observed
 * with Node 20 (undici refuses most of them with an error), Deno 2.9 and Bun 1.4 (they drop or
 * overwrite some and send others); left out everywhere, so that one notebook sends one request.
 */
const RULES: ReadonlyMap<string, HeaderRule> = new Map([
  [
    "host",
    (value, { host }) =>
      value.toLowerCase() === host()
        ? undefined
        : `fetch always sends the host of the URL, "${host()}"`,
  ],
  [
    "content-length",
    (value, { bodyLength }) =>
      value === String(bodyLength()) ? undefined : `the body has ${bodyLength()} bytes`,
  ],
  [
    "connection",
    (value) =>
      value.toLowerCase() === "keep-alive" ? undefined : OF_THE_CONNECTION(value, NOTHING),
  ],
  ["keep-alive", OF_THE_CONNECTION],
  ["transfer-encoding", OF_THE_CONNECTION],
  ["upgrade", OF_THE_CONNECTION],
  ["expect", OF_THE_CONNECTION],
]);

const NOTHING: HeaderContext = { host: () => "", bodyLength: () => 0 };

/**
 * Says whether a written header is left out when sending, and why.
 *
 * @returns `undefined` when it is sent; otherwise the reason, empty where leaving it out changes
 * nothing.
 */
export function reasonToOmit(
  name: string,
  value: string,
  context: HeaderContext,
): string | undefined {
  const rule = RULES.get(name.toLowerCase());
  return rule && (rule(value, context) ?? "");
}
