export interface NodeCall {
  readonly method: string;
  readonly url: URL;
  /** As written if given as a list; a `Headers` object sorts them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | ReadableStream<Uint8Array> | undefined;
  readonly signal: AbortSignal | undefined;
  /** Kept so that it is not collected before the answer: its signal would be too. */
  readonly request: Request | undefined;
}

/** Reads the arguments of `fetch`; `init` overrides the request. */
export async function readCall(
  ...[input, init = {}]: Parameters<typeof globalThis.fetch>
): Promise<NodeCall> {
  const request = input instanceof Request ? input : undefined;
  const { method = "GET", headers, signal } = { ...partsOf(request), ...init };
  const list = Array.isArray(headers) ? headers : [...new Headers(headers)];
  const { body, type } =
    init.body == null
      ? { body: request?.body == null ? undefined : new Uint8Array(await request.arrayBuffer()) }
      : await readBody(init.body);
  const isTyped = list.some(([name]) => name?.toLowerCase() === "content-type");
  return {
    method,
    url: new URL(input instanceof Request ? input.url : input),
    headers: (type && !isTyped ? [...list, ["content-type", type]] : list) as NodeCall["headers"],
    body,
    signal: signal ?? undefined,
    request,
  };
}

function partsOf(request: Request | undefined): RequestInit {
  if (request === undefined) return {};
  const { method, headers, signal } = request;
  return { method, headers, signal };
}

const TEXT = "text/plain;charset=UTF-8";

/** The bytes of a body, and the Content-Type that fetch sets for it. */
async function readBody(
  body: BodyInit,
): Promise<{ readonly body: NodeCall["body"]; readonly type?: string | null }> {
  if (body instanceof Uint8Array || body instanceof ReadableStream) return { body };
  if (typeof body === "string") return { body: Buffer.from(body), type: TEXT };
  const made = new Response(body);
  return { body: new Uint8Array(await made.arrayBuffer()), type: made.headers.get("content-type") };
}
