import type { ConnectionOptions, SendOptions } from "../http/mod.ts";
import { isCompression } from "../http/mod.ts";
import type { Annotation } from "../request/mod.ts";

type Option = (value: string) => Partial<SendOptions>;

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, "": 1000, m: 60_000 };

/** What a line `# @key value` before a request says about sending it; the keys are the peers'. */
const OPTIONS: ReadonlyMap<string, Option> = new Map<string, Option>([
  ["no-redirect", () => ({ redirect: "manual" })],
  ["no-cookie-jar", () => ({ cookies: false })],
  [
    "timeout",
    (value) => {
      const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/.exec(value) ?? [];
      if (amount === undefined) throw unusable("timeout", value, "5, 500 ms, 5 s or 1 m");
      return { timeout: Number(amount) * (MILLISECONDS[unit] ?? 1000) };
    },
  ],
  [
    "retry",
    (value) => {
      if (!/^\d*$/.test(value)) throw unusable("retry", value, "a number of repetitions");
      return { retry: value === "" ? {} : Number(value) };
    },
  ],
  [
    "max-redirects",
    (value) => {
      if (!/^\d+$/.test(value)) throw unusable("max-redirects", value, "a number of redirects");
      return { maxRedirects: Number(value) };
    },
  ],
  [
    "cross-origin-body",
    (value) => {
      if (!/^(?:true|false)?$/.test(value))
        throw unusable("cross-origin-body", value, "true or false");
      return { crossOriginBody: value !== "false" };
    },
  ],
  // The next three are httpYac's.
  ["no-reject-unauthorized", () => ({ connection: { insecure: true } })],
  ["no-proxy", () => ({ connection: { proxy: false } })],
  ["proxy", (value) => ({ connection: { proxy: value } })],
  [
    "connection",
    (value) => {
      try {
        const read: unknown = JSON.parse(value);
        if (typeof read === "object" && read !== null && !Array.isArray(read)) {
          return { connection: read as ConnectionOptions };
        }
      } catch {
        // No JSON: it is told below.
      }
      throw unusable("connection", value, 'an object in JSON, such as {"http2": true}');
    },
  ],
  [
    "compress",
    (value) => {
      const compression = value === "" ? "gzip" : value;
      if (!isCompression(compression)) throw unusable("compress", value, "gzip or deflate");
      return { compress: compression };
    },
  ],
]);

/**
 * The options of sending, with what the annotations of a request say before them.
 *
 * @throws {TypeError} An annotation's value is not what it should be.
 */
export function withAnnotations(
  annotations: readonly Annotation[],
  options: SendOptions,
): SendOptions {
  let all = options;
  for (const { key, value } of annotations) {
    const option = OPTIONS.get(key.toLowerCase());
    if (option === undefined) continue;
    const said = option(value);
    const connection = said.connection && { ...all.connection, ...said.connection };
    all = { ...all, ...said, ...(connection === undefined ? {} : { connection }) };
  }
  return all;
}

function unusable(key: string, value: string, wanted: string): TypeError {
  return new TypeError(`Cannot use "${value}" as "# @${key}": it is ${wanted}`);
}
