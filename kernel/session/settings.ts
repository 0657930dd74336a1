import {
  type Client,
  interpolate,
  parseRequests,
  type RequestSpec,
  type SendOptions,
} from "../../lib/mod.ts";

/** What holds for every cell of a session until it is changed. */
export interface Settings {
  /** By name as it was written; values may hold placeholders. */
  readonly headers: Map<string, string>;
  /** Milliseconds; undefined for the client's own limit. */
  timeout: number | undefined;
  /** Whether type errors stop a TypeScript cell, as errors of names and syntax do. */
  isStrict: boolean;
}

/** A client and the settings that it goes by. */
export interface SettledClient {
  readonly client: Client;
  readonly settings: Settings;
}

/**
 * Gives a client default headers and a time limit that can be changed while it is used. Default
 * headers go into the request's text, so that a preview shows them and their placeholders are
 * filled like any other.
 *
 * @param inner The client; it stays as it is, and shares all with the one that is returned.
 */
export function settleClient(inner: Client): SettledClient {
  const settings: Settings = { headers: new Map(), timeout: undefined, isStrict: false };
  return { client: withSettings(inner, settings), settings };
}

function withSettings(inner: Client, settings: Settings): Client {
  const settled = <T extends string | RequestSpec>(request: T): T =>
    (typeof request === "string"
      ? withHeaders(request, settings.headers)
      : withSpecHeaders(request, settings.headers, inner)) as T;
  const limited = <T extends Pick<SendOptions, "timeout">>(given?: T): T =>
    ({ ...(settings.timeout === undefined ? {} : { timeout: settings.timeout }), ...given }) as T;

  const client: Client = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(inner),
    ...methods({
      render: (text, given) => inner.render(settled(text), given),
      renderAll: (text, given) => inner.renderAll(settled(text), given),
      send: (request, given) => inner.send(settled(request), limited(given)),
      sendAll: (text, given) => inner.sendAll(settled(text), limited(given)),
      stream: (request, given) => inner.stream(settled(request), limited(given)),
      download: (request, path, given) => inner.download(settled(request), path, limited(given)),
      paginate: (request, strategy, given) =>
        inner.paginate(settled(request), strategy, limited(given)),
      // Whatever is no list of requests is refused by the client, which says why.
      all: (requests, given) =>
        inner.all(
          settings.headers.size > 0 && Symbol.iterator in Object(requests)
            ? [...requests].map(settled)
            : requests,
          limited(given),
        ),
      websocket: (url, given = {}) => {
        const { headers } = settled({ url, headers: given.headers ?? [] });
        return inner.websocket(url, { ...given, headers });
      },
      extend: (defaults) => withSettings(inner.extend(defaults), settings),
    }),
  });
  return Object.freeze(client);
}

/** Property descriptors of methods that stand in for those of the client. */
function methods(given: Partial<Client>): PropertyDescriptorMap {
  const named = Object.entries(given).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.fromEntries(named);
}

/** The text with header lines put behind those that each of its requests has. */
export function withHeaders(text: string, headers: ReadonlyMap<string, string>): string {
  if (headers.size === 0 || typeof text !== "string") return text;
  let result = text;
  for (const draft of drafts(text).toReversed()) {
    const written = new Set(draft.headers.map(({ name }) => name.toLowerCase()));
    const missing = [...headers].filter(([name]) => !written.has(name.toLowerCase()));
    if (missing.length === 0) continue;
    const from = draft.headers.at(-1)?.span.end ?? draft.urlSpan.end;
    const lineBreak = text.slice(from).search(/[\r\n]|$/);
    const at = from + lineBreak;
    const lines = missing.map(([name, value]) => `\n${name}: ${value}`).join("");
    result = result.slice(0, at) + lines + result.slice(at);
  }
  return result;
}

function drafts(text: string): ReturnType<typeof parseRequests> {
  try {
    return parseRequests(text);
  } catch {
    // What is wrong with the text is said by the client, about the text as it was written.
    return [];
  }
}

function withSpecHeaders(
  spec: RequestSpec,
  headers: ReadonlyMap<string, string>,
  { vars }: Client,
): RequestSpec {
  if (headers.size === 0 || typeof spec !== "object" || spec === null) return spec;
  const own = spec.headers ?? {};
  const list: (readonly [string, string])[] =
    Symbol.iterator in own ? [...own] : Object.entries(own);
  const written = new Set(list.map(([name]) => name.toLowerCase()));
  const missing = [...headers]
    .filter(([name]) => !written.has(name.toLowerCase()))
    .map(([name, value]) => [name, interpolate(value, vars, "header")] as const);
  return { ...spec, headers: [...list, ...missing] };
}
