import {
  type Client,
  type Exchange,
  interpolate,
  type ParsedText,
  parseRequests,
  type RequestSpec,
  type SendOptions,
} from "../../../lib/mod.ts";

/** Settings of a session. */
export interface Settings {
  /** Default headers, by name; values may contain placeholders. */
  readonly headers: Map<string, string>;
  /** Milliseconds; the client's own limit if undefined. */
  timeout: number | undefined;
  /** Whether type errors stop a TypeScript cell, as syntax and name errors do. */
  isStrict: boolean;
}

/** Returns what takes the exchanges of the call that is about to send, if anything does. */
type Observe = () => ((exchange: Exchange) => void) | undefined;

/**
 * Adds default headers and a time limit to a client, which can be changed while it is used. Default
 * headers are added to the text of a request, so that a preview shows them and their placeholders are
 * filled like any other.
 *
 * @param inner The client, which is not changed; the returned one shares its state.
 * @param observe Called for each call that sends request texts.
 */
export function withSettings(
  inner: Client,
  observe: Observe = () => undefined,
): { client: Client; settings: Settings } {
  const settings: Settings = { headers: new Map(), timeout: undefined, isStrict: false };
  return { client: applySettings(inner, settings, observe), settings };
}

function applySettings(inner: Client, settings: Settings, observe: Observe): Client {
  const configured = <T extends string | RequestSpec>(request: T): T =>
    (typeof request === "string"
      ? withHeaders(request, settings.headers)
      : withSpecHeaders(request, settings.headers, inner)) as T;
  const configuredText = (text: string | ParsedText): string | ParsedText =>
    settings.headers.size === 0 ? text : configured(typeof text === "string" ? text : text.source);
  const limited = <T extends Pick<SendOptions, "timeout">>(given?: T): T =>
    ({ ...(settings.timeout === undefined ? {} : { timeout: settings.timeout }), ...given }) as T;

  const observed = <T extends Pick<SendOptions, "timeout" | "onExchange">>(given?: T): T => {
    const options = limited(given);
    const onExchange = observe();
    if (onExchange === undefined) return options;
    const both = (exchange: Exchange): void => {
      onExchange(exchange);
      options.onExchange?.(exchange);
    };
    return { ...options, onExchange: both };
  };

  const client: Client = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(inner),
    ...methods({
      render: (text, given) => inner.render(configured(text), given),
      renderAll: (text, given) => inner.renderAll(configured(text), given),
      send: (request, given) => inner.send(configured(request), observed(given)),
      sendAll: (text, given) => inner.sendAll(configuredText(text), observed(given)),
      stream: (request, given) => inner.stream(configured(request), limited(given)),
      download: (request, path, given) => inner.download(configured(request), path, limited(given)),
      paginate: (request, strategy, given) =>
        inner.paginate(configured(request), strategy, limited(given)),
      // The client refuses whatever is not a list of requests.
      all: (requests, given) =>
        inner.all(
          settings.headers.size > 0 && Symbol.iterator in Object(requests)
            ? [...requests].map(configured)
            : requests,
          observed(given),
        ),
      websocket: (url, given = {}) => {
        const { headers } = configured({ url, headers: given.headers ?? [] });
        return inner.websocket(url, { ...given, headers });
      },
      extend: (defaults) => applySettings(inner.extend(defaults), settings, observe),
    }),
  });
  return Object.freeze(client);
}

/** Property descriptors of methods that replace those of the client. */
function methods(given: Partial<Client>): PropertyDescriptorMap {
  const named = Object.entries(given).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.fromEntries(named);
}

/** Adds headers to each request of a text, after its own. */
export function withHeaders(text: string, headers: ReadonlyMap<string, string>): string {
  if (headers.size === 0 || typeof text !== "string") return text;
  let result = text;
  for (const draft of drafts(text).toReversed()) {
    const missing = missingOf(
      headers,
      draft.headers.map(({ name }) => name),
    );
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
    // The client reports the error, about the text as it was written.
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
  const missing = missingOf(
    headers,
    list.map(([name]) => name),
  );
  const added = missing.map(([name, value]) => [name, interpolate(value, vars, "header")] as const);
  return { ...spec, headers: [...list, ...added] };
}

/** The headers that a request does not have. */
function missingOf(
  headers: ReadonlyMap<string, string>,
  names: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const written = new Set(names.map((name) => name.toLowerCase()));
  return [...headers].filter(([name]) => !written.has(name.toLowerCase()));
}
