import type { Client, Exchange, SendOptions, Template } from "../../lib/mod.ts";

/** Settings of a session. */
export interface Settings {
  /** Default headers, by name. A text, which may be of a response, is sent as it is; a template is filled. */
  readonly headers: Map<string, string | Template>;
  /** Milliseconds; the client's own limit if undefined. */
  timeout: number | undefined;
  /** Whether type errors stop a TypeScript cell, as syntax and name errors do. */
  isStrict: boolean;
}

/** Returns what takes the exchanges of the call that is about to send, if anything does. */
type Observe = () => ((exchange: Exchange) => void) | undefined;

/** Sets a header in place of those of the same name in any letter case, or removes it. */
export function setHeader(
  headers: Settings["headers"],
  name: string,
  value: string | Template | undefined,
): void {
  for (const other of headers.keys()) {
    if (other.toLowerCase() === name.toLowerCase()) headers.delete(other);
  }
  if (value !== undefined) headers.set(name, value);
}

/**
 * Adds default headers and a time limit to a client, which can be changed while it is used.
 *
 * @param inner The client, which is not changed; the returned one shares its state.
 * @param observe Called for each call that sends request texts.
 */
export function withSettings(
  inner: Client,
  observe: Observe = () => undefined,
): { client: Client; settings: Settings } {
  const settings: Settings = { headers: new Map(), timeout: undefined, isStrict: false };
  const withHeaders = inner.extend({ headers: () => settings.headers });
  return { client: applySettings(withHeaders, settings, observe), settings };
}

function applySettings(inner: Client, settings: Settings, observe: Observe): Client {
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
      send: (request, given) => inner.send(request, observed(given)),
      sendAll: (text, given) => inner.sendAll(text, observed(given)),
      stream: (request, given) => inner.stream(request, limited(given)),
      download: (request, path, given) => inner.download(request, path, limited(given)),
      paginate: (request, strategy, given) => inner.paginate(request, strategy, limited(given)),
      all: (requests, given) => inner.all(requests, observed(given)),
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
