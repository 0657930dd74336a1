/** Returns why a header is not sent; `undefined` if nothing is lost without it. */
type HeaderRule = (value: string, context: HeaderContext) => string | undefined;

interface HeaderContext {
  readonly host: () => string;
  readonly bodyLength: () => number;
}

const MANAGED = "the connection is managed by the runtime";

/**
 * Headers that fetch controls. Node 20 refuses most of them with an error, Deno 2.9 and Bun 1.4 drop or
 * overwrite some and send others. They are omitted everywhere, so that all runtimes send the same request.
 */
const RULES: ReadonlyMap<string, HeaderRule> = new Map<string, HeaderRule>([
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
  ["connection", (value) => (value.toLowerCase() === "keep-alive" ? undefined : MANAGED)],
  ["keep-alive", () => MANAGED],
  ["transfer-encoding", () => MANAGED],
  ["upgrade", () => MANAGED],
  ["expect", () => MANAGED],
]);

/**
 * Decides whether a header is omitted.
 *
 * @returns `undefined` if it is sent; otherwise the reason, which is empty if nothing is lost.
 */
export function reasonToOmit(
  name: string,
  value: string,
  context: HeaderContext,
): string | undefined {
  const rule = RULES.get(name.toLowerCase());
  return rule && (rule(value, context) ?? "");
}
