import type { RequestToSend, RuntimeHeaders } from "../../../lib/mod.ts";
import type { Runtime } from "../runtime/mod.ts";

/** What a way of sending adds to a request besides Host. */
interface Additions {
  /** Headers whatever the body is. */
  readonly always: (method: string) => readonly (readonly [name: string, value: string])[];
  /** Whether a request without a body has a Content-Length of 0. */
  readonly sendsZero: (method: string) => boolean;
  /** Whether a streamed body of a known length is sent in chunks nevertheless. */
  readonly chunksStreams?: boolean;
}

const keepAlive = () => [["Connection", "keep-alive"]] as const;
const oneOf = (methods: string) => (method: string) => methods.split(" ").includes(method);

/** Deno 2.9 and Bun 1.4, and the two ways of Node: `node:http`, and undici with connection options. */
const ADDITIONS: { readonly [N in Runtime["name"] | "undici"]: Additions } = {
  node: { always: keepAlive, sendsZero: (method) => !oneOf("GET HEAD DELETE OPTIONS")(method) },
  undici: {
    // undici closes the connection after HEAD, since some servers send a body nevertheless.
    always: (method) => [
      ["Connection", method === "HEAD" ? "close" : "keep-alive"],
      ["Sec-Fetch-Mode", "cors"],
    ],
    sendsZero: oneOf("PUT POST PATCH"),
  },
  deno: { always: () => [], sendsZero: oneOf("PUT POST"), chunksStreams: true },
  bun: { always: keepAlive, sendsZero: (method) => !oneOf("GET HEAD")(method) },
};

/** Creates the function that returns the headers which a runtime adds to a request over HTTP/1.1. */
export function createRuntimeHeaders({ name }: Pick<Runtime, "name">): RuntimeHeaders {
  return ({ method, url, headers, body }, usesConnection) => {
    const additions = ADDITIONS[name === "node" && usesConnection ? "undici" : name];
    const isSet = headers.some(([it]) => it.toLowerCase() === "content-length");
    return [
      ["Host", url.host],
      ...additions.always(method),
      ...(isSet ? [] : lengthHeaders(method, body, additions)),
    ];
  };
}

function lengthHeaders(
  method: string,
  body: RequestToSend["body"],
  { sendsZero, chunksStreams = false }: Additions,
): readonly (readonly [name: string, value: string])[] {
  if (body === undefined) return sendsZero(method) ? [["Content-Length", "0"]] : [];
  const { length, isStreamed } = body;
  const isChunked = length === undefined || (isStreamed && chunksStreams);
  return [isChunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(length)]];
}
