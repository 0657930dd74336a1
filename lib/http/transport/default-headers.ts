import type { HeaderList } from "../../exchange/mod.ts";
import { isStreamed } from "../request/bodies/mod.ts";
import { excludeHeaders, type Hop, version } from "../request/mod.ts";

/**
 * The headers of every request that does not have its own, the same on every runtime. Every runtime decodes
 * these encodings; Deno does not know deflate. Deno and undici always send an Accept-Language.
 */
const DEFAULT_HEADERS: HeaderList = [
  ["Accept", "*/*"],
  ["Accept-Encoding", "gzip, br"],
  ["Accept-Language", "*"],
  ["User-Agent", `restlab/${version}`],
];

/** The default headers that a request does not have itself. */
export function missingDefaults(headers: HeaderList): HeaderList {
  return excludeHeaders(DEFAULT_HEADERS, headers);
}

/** A request as a runtime sees it, which adds headers to it. */
export interface RequestToSend {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: URL;
  /** The headers that are passed to fetch. */
  readonly headers: HeaderList;
  /** The body, if there is one, with its length in bytes, if that is known. */
  readonly body: { readonly length: number | undefined; readonly isStreamed: boolean } | undefined;
}

/** Returns the headers that a runtime adds to a request. */
export type RuntimeHeaders = (request: RequestToSend, usesConnection: boolean) => HeaderList;

/** The headers of a request that its hop does not have: the defaults, and those that the runtime adds. */
export function defaultsOf(
  { method, url, headers, body }: Hop,
  ofRuntime: (request: RequestToSend) => HeaderList,
): HeaderList {
  const defaults = missingDefaults(headers);
  return [
    ...defaults,
    ...ofRuntime({ method, url, headers: [...headers, ...defaults], body: describe(body) }),
  ];
}

function describe(body: Hop["body"]): RequestToSend["body"] {
  if (body === undefined) return undefined;
  if (isStreamed(body)) return { length: body.size, isStreamed: true };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { length: bytes.byteLength, isStreamed: false };
}
