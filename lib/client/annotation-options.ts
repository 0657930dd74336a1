import { type ConnectionOptions, isCompression, type SendOptions } from "../http/mod.ts";
import { type Annotation, annotationKey } from "../request/mod.ts";
import { COOKIE_PATHS, type CookiePaths } from "./cookie-files.ts";

/** Options with those that only annotations have. */
export type AnnotatedOptions = SendOptions & { readonly [COOKIE_PATHS]?: CookiePaths };

type Option = (value: string, options: AnnotatedOptions) => Partial<AnnotatedOptions>;

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, "": 1000, m: 60_000 };

/** The send options of lines `# @key value` before a request; other clients use the same keys. */
const OPTIONS: readonly (readonly [key: string, option: Option])[] = [
  ["no-redirect", () => ({ redirect: "manual" })],
  ["no-cookie-jar", () => ({ cookies: false })],
  [
    "cookie-file",
    (value, { [COOKIE_PATHS]: paths }) => ({
      [COOKIE_PATHS]: { ...paths, from: [...(paths?.from ?? []), value] },
    }),
  ],
  ["cookie-jar", (to, { [COOKIE_PATHS]: paths }) => ({ [COOKIE_PATHS]: { ...paths, to } })],
  [
    "timeout",
    (value) => {
      const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/.exec(value) ?? [];
      if (amount === undefined)
        throw invalid("timeout", value, "a time such as 5, 500 ms, 5 s or 1 m");
      return { timeout: Number(amount) * (MILLISECONDS[unit] ?? 1000) };
    },
  ],
  [
    "retry",
    (value) => {
      // `10 every 2s` is about assertions, not about connections.
      if (!/^\d*$/.test(value)) return {};
      return { retry: value === "" ? {} : Number(value) };
    },
  ],
  ["charset", (charset) => ({ charset })],
  [
    "max-redirects",
    (value) => {
      if (!/^\d+$/.test(value)) throw invalid("max-redirects", value, "a number of redirects");
      return { maxRedirects: Number(value) };
    },
  ],
  [
    "cross-origin-body",
    (value) => {
      if (!/^(?:true|false)?$/.test(value))
        throw invalid("cross-origin-body", value, "true or false");
      return { crossOriginBody: value !== "false" };
    },
  ],
  // The next three are keys of httpYac.
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
        // Not JSON: the error below says so.
      }
      throw invalid("connection", value, 'a JSON object such as {"http2": true}');
    },
  ],
  [
    "compress",
    (value) => {
      const compression = value === "" ? "gzip" : value;
      if (!isCompression(compression)) throw invalid("compress", value, "gzip or deflate");
      return { compress: compression };
    },
  ],
];

const OPTIONS_BY_KEY: ReadonlyMap<string, Option> = new Map(
  OPTIONS.map(([key, option]) => [annotationKey({ key }), option]),
);

/**
 * Adds the options in the annotations of a request, which take precedence.
 *
 * @throws {TypeError} The value of an annotation is invalid.
 */
export function withAnnotations(
  annotations: readonly Annotation[],
  options: SendOptions,
): AnnotatedOptions {
  let all: AnnotatedOptions = options;
  for (const annotation of annotations) {
    const option = OPTIONS_BY_KEY.get(annotationKey(annotation));
    if (option === undefined) continue;
    const added = option(annotation.value, all);
    const connection = added.connection && { ...all.connection, ...added.connection };
    all = { ...all, ...added, ...(connection === undefined ? {} : { connection }) };
  }
  return all;
}

function invalid(key: string, value: string, wanted: string): TypeError {
  return new TypeError(`Cannot use "${value}" as "# @${key}": it is not ${wanted}`);
}
