import { type Exchange, type HeaderList, supersede } from "../exchange/mod.ts";
import {
  asWritten,
  isReachableName,
  isRecord,
  jsonPathRoot,
  namesOf,
  notJson,
  parseWrittenNumber,
  repeatedValues,
  type Value,
  type ValuesOf,
  wholeValue,
} from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import { findHeader, isJsonType, listName } from "../request/mod.ts";

/** The latest exchange of each named request, by its name, as they come in. */
export interface Responses {
  /** The exchange of `# @name name`. */
  readonly [name: string]: Exchange;
}

/** The latest exchanges of named requests. */
export interface ResponseStore {
  readonly all: Responses;
  get(name: string): Exchange | undefined;
  /** The value of `{{name.…}}`, or `undefined` before the request has a response. */
  valueOf(name: string): Value | undefined;
  /**
   * The value of a name of httpYac: `response` is the latest response, `loginResponse` that of the request `login`,
   * each with `statusCode`, `headers`, `body` and `parsedBody`.
   */
  responseOf(name: string): Value | undefined;
  names(): Iterable<string>;
  /** Stores an exchange whose request has a name or a title, in place of the previous one. */
  add(exchange: Exchange): void;
  /** Stores the exchanges of a loop: the first by the name of its request, all as `nameList`. */
  addPasses(name: string, exchanges: readonly Exchange[]): void;
  clear(): void;
}

/** Creates an empty store. */
export function createResponseStore(): ResponseStore {
  const named = new Map<string, Exchange>();
  /** Of requests that only have a title: a name goes before it. */
  const titled = new Map<string, Exchange>();
  const lists = new Map<string, readonly Exchange[]>();
  const all: Record<string, Exchange> = {};
  const values = new WeakMap<Exchange, Value>();
  let latest: Exchange | undefined;
  const get = (name: string): Exchange | undefined => named.get(name) ?? titled.get(name);
  const put = (map: Map<string, Exchange>, name: string, exchange: Exchange): void => {
    map.set(name, exchange);
    // Assigning would not add a request named `__proto__`.
    Object.defineProperty(all, name, { value: get(name), enumerable: true, configurable: true });
  };
  const replace = (map: Map<string, Exchange>, name: string, exchange: Exchange): void => {
    const previous = map.get(name);
    if (previous !== undefined && previous !== exchange) supersede(previous);
    put(map, name, exchange);
  };
  const toValueOnce = (exchange: Exchange): Value => {
    const value = values.get(exchange) ?? toValue(exchange);
    values.set(exchange, value);
    return value;
  };
  return {
    all: new Proxy(all, READ_ONLY),
    get,
    valueOf: (name) => {
      const exchange = get(name);
      return exchange === undefined ? lists.get(name)?.map(toValueOnce) : toValueOnce(exchange);
    },
    responseOf: (name) => {
      const base = /^(.+)Response$/.exec(name)?.[1];
      const exchange = name === "response" ? latest : get(base ?? "");
      return exchange && toResponse(exchange);
    },
    names: () => [...named.keys(), ...lists.keys(), ...[...titled.keys()].filter(isReachableName)],
    add: (exchange) => {
      latest = exchange;
      const { name, title } = exchange.request;
      if (name !== undefined) replace(named, name, exchange);
      else if (title !== undefined) replace(titled, title, exchange);
    },
    addPasses: (name, exchanges) => {
      lists.set(listName(name), exchanges);
      const [first] = exchanges;
      if (first === undefined) return;
      put(first.request.name === undefined ? titled : named, name, first);
    },
    clear: () => {
      latest = undefined;
      for (const exchange of [...named.values(), ...titled.values()]) supersede(exchange);
      for (const map of [named, titled, lists]) map.clear();
      for (const name of Object.keys(all)) delete all[name];
    },
  };
}

const READ_ONLY: ProxyHandler<Record<string, Exchange>> = {
  defineProperty: () => false,
  deleteProperty: () => false,
  preventExtensions: () => false,
};

/**
 * `response` and `request` as in VS Code's REST Client; any other step reads the body, as in httpYac. Whole, each is its
 * body: no header of one request, which may be a credential, goes into another by a name. A body is read and parsed only
 * when a path needs it.
 */
function toValue(exchange: Exchange): Value {
  const body = (): Value => bodyOf(exchange);
  const text = (): string | undefined => textOf(exchange);
  const response = lazy(
    {
      status: () => exchange.status,
      statusText: () => exchange.statusText,
      url: () => exchange.url,
      headers: () => headersOf(exchange.headers),
      cookies: () => cookiesOf(exchange.headers),
      body,
      time: () => exchange.timing.total,
    },
    { [wholeValue]: body },
  );
  const { request } = exchange;
  const sentBody = (): Value => sentBodyOf(request.body, request.headers);
  const sent = lazy(
    {
      method: () => request.method,
      url: () => request.url,
      headers: () => headersOf(request.headers),
      body: sentBody,
    },
    { [wholeValue]: sentBody },
  );
  const parts: Readonly<Record<string, Value>> = { response, request: sent };
  return createLazyObject(
    () => [...new Set([...Object.keys(parts), ...keysOf(body())])],
    (key) => (Object.hasOwn(parts, key) ? parts[key] : stepInto(body(), key)),
    { [jsonPathRoot]: body, [wholeValue]: body, [notJson]: text },
  );
}

/** A response as httpYac's scripts and placeholders see it. */
function toResponse(exchange: Exchange): Value {
  const body = (): Value => bodyOf(exchange);
  return lazy(
    {
      statusCode: () => exchange.status,
      statusMessage: () => exchange.statusText,
      headers: () => headersOf(exchange.headers),
      body: () => exchange.text,
      parsedBody: body,
    },
    { [wholeValue]: body },
  );
}

function lazy(readers: Readonly<Record<string, () => Value>>, more?: Special): Value {
  const read = new Map<string, Value>();
  return createLazyObject(
    () => Object.keys(readers),
    (key) => {
      if (!Object.hasOwn(readers, key)) return undefined;
      const value = read.get(key) ?? readers[key]?.();
      if (value !== undefined) read.set(key, value);
      return value;
    },
    more,
  );
}

function keysOf(body: Value): readonly string[] {
  return isRecord(body) ? namesOf(body) : [];
}

function stepInto(body: Value, key: string): Value | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, key)) return undefined;
  // `length` is an own property of an array, but not for placeholders.
  if (Array.isArray(body) && !/^\d+$/.test(key)) return undefined;
  return asWritten(body, key, Reflect.get(body, key) as Value);
}

/** Header names are case-insensitive; repeated headers are joined (RFC 9110, 5.3), and each has an index. */
function headersOf(list: Iterable<readonly [string, string]>): Value {
  return valuesByName(
    list,
    (name) => name.toLowerCase(),
    (values) => values.join(", "),
  );
}

/** The values of the cookies that a response sets, by name: several Set-Cookie headers cannot be told apart as one. */
function cookiesOf(headers: Headers): Value {
  const pairs = headers.getSetCookie().map((cookie): [string, string] => {
    const [, name = "", value = ""] = /^\s*([^=;]*)=?([^;]*)/.exec(cookie) ?? [];
    return [name.trimEnd(), value.trim()];
  });
  return valuesByName(
    pairs,
    (name) => name,
    (values) => values.at(-1) ?? "",
  );
}

/** An object with a text for each name, below which an index finds one of its values. */
function valuesByName(
  pairs: Iterable<readonly [string, string]>,
  keyOf: (name: string) => string,
  toText: (values: readonly string[]) => string,
): Value {
  const byName = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of pairs) {
    const known = byName.get(keyOf(name));
    if (known === undefined) byName.set(keyOf(name), { name, values: [value] });
    else known.values.push(value);
  }
  const valuesOf = (key: string): readonly string[] | undefined => byName.get(keyOf(key))?.values;
  return createLazyObject(
    () => Array.from(byName.values(), ({ name }) => name),
    (key) => {
      const values = valuesOf(key);
      return values && toText(values);
    },
    { [repeatedValues]: () => valuesOf },
  );
}

/** What a body is that is read as text, and not as JSON; `undefined` for one that is JSON, or empty. */
function textOf(exchange: Exchange): string | undefined {
  const { mediaType, text } = exchange;
  if (text === "" || bodyOf(exchange) !== text) return undefined;
  if (mediaType === "") return "not JSON, and has no Content-Type";
  return isJsonType(mediaType) ? `${mediaType}, but not valid JSON` : `${mediaType}, not JSON`;
}

function bodyOf(exchange: Exchange): Value {
  const { mediaType } = exchange;
  if (mediaType !== "" && !isJsonType(mediaType)) return exchange.text;
  try {
    const json = exchange.json as Value | undefined;
    if (typeof json === "number") return parseWrittenNumber(exchange.text.trim());
    return json ?? (exchange.text === "" ? "" : null);
  } catch (error) {
    // A body that is not JSON is text, whatever its header says.
    if (error instanceof SyntaxError) return exchange.text;
    throw error;
  }
}

function sentBodyOf(body: string | Uint8Array | undefined, headers: HeaderList): Value {
  if (body === undefined) return "";
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (!isJsonType(findHeader(headers, "content-type") ?? "")) return text;
  try {
    return parseWrittenJson(text);
  } catch {
    return text; // Invalid JSON was sent as written.
  }
}

/** The value that a JSONPath on an object applies to, the value that it stands for whole, what its body is, and all values of a name. */
interface Special {
  readonly [jsonPathRoot]?: () => Value;
  readonly [wholeValue]?: () => Value;
  readonly [notJson]?: () => string | undefined;
  readonly [repeatedValues]?: () => ValuesOf;
}

/**
 * Creates an object whose values are computed when a path reads them. Placeholders, which read own
 * properties, see an ordinary object.
 *
 * @param keys The keys to list; there may be others.
 * @param read Returns a value, or `undefined` when there is none.
 * @param special What it has that is no member.
 */
function createLazyObject(
  keys: () => readonly string[],
  read: (key: string) => Value | undefined,
  special: Special = {},
): Value {
  const readKey = (key: string | symbol): Value | undefined =>
    typeof key === "string" ? read(key) : undefined;
  return new Proxy<{ readonly [key: string]: Value }>(
    {},
    {
      ownKeys: () => [...keys()],
      has: (_target, key) => readKey(key) !== undefined,
      get: (_target, key) =>
        typeof key === "string" ? read(key) : special[key as keyof Special]?.(),
      set: () => false,
      getOwnPropertyDescriptor: (_target, key) => {
        const value = readKey(key);
        if (value === undefined) return undefined;
        // The invariants of a proxy require a property that its target lacks to be configurable.
        return { value, enumerable: true, configurable: true, writable: false };
      },
    },
  );
}
