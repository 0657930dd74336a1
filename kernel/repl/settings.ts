import {
  type Client,
  createClient,
  interpolate,
  parseRequests,
  type RequestSpec,
  type SendOptions,
} from "../../lib/mod.ts";

/** What holds for every request of a session until it is changed. */
export interface Settings {
  /** By name as it was written; values may hold placeholders. */
  readonly headers: Map<string, string>;
  /** Milliseconds; undefined for the client's own limit. */
  timeout: number | undefined;
  /** Names of variables that were set as secrets. */
  readonly secretNames: Set<string>;
}

/** A client and the settings that it goes by. */
export interface SettledClient {
  readonly client: Client;
  readonly settings: Settings;
}

/**
 * Creates a client whose default headers and time limit can be changed while it is used. Default
 * headers go into the request's text, so that a preview shows them and their placeholders are
 * filled like any other.
 */
export function createSettledClient(options: Parameters<typeof createClient>[0]): SettledClient {
  const settings: Settings = { headers: new Map(), timeout: undefined, secretNames: new Set() };
  const inner = createClient(options);
  const withLimit = (given: SendOptions = {}): SendOptions =>
    settings.timeout === undefined ? given : { timeout: settings.timeout, ...given };

  const client: Client = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(inner),
    ...methods({
      setVar: (name, value, given) => {
        inner.setVar(name, value, given);
        if (given?.secret === true) settings.secretNames.add(name);
        if (given?.secret === false) settings.secretNames.delete(name);
      },
      deleteVar: (name) => {
        settings.secretNames.delete(name);
        return inner.deleteVar(name);
      },
      clearVars: () => {
        settings.secretNames.clear();
        inner.clearVars();
      },
      render: (text, given) => inner.render(withHeaders(text, settings.headers), given),
      renderAll: (text, given) => inner.renderAll(withHeaders(text, settings.headers), given),
      send: (request, given) =>
        inner.send(
          typeof request === "string"
            ? withHeaders(request, settings.headers)
            : withSpecHeaders(request, settings.headers, inner),
          withLimit(given),
        ),
      sendAll: (text, given) =>
        inner.sendAll(withHeaders(text, settings.headers), withLimit(given)),
    }),
  });
  return { client, settings };
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
