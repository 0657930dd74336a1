import { markReplayed, UnansweredError } from "../exchange/mod.ts";
import { takeTurn } from "../har/mod.ts";
import { checkOptions, type Fetch, type HeadersInput, toHeaderList } from "../http/mod.ts";
import {
  isError,
  messageOf,
  nearNames,
  renderJson,
  shorten,
  snapshotValue,
} from "../interpolation/mod.ts";

/** A response of a mock as data. It has one body at most. */
export interface MockResponse {
  /** The status; 200 by default. */
  readonly status?: number | undefined;
  /** The headers. */
  readonly headers?: HeadersInput | undefined;
  /** The body, written as JSON. */
  readonly json?: unknown;
  /** The body as text. */
  readonly text?: string | undefined;
  /** Any other body: bytes, a form, a stream. */
  readonly body?: ConstructorParameters<typeof Response>[0] | undefined;
}

/** What a route answers; an error is thrown, as if the server could not be reached. */
export type MockAnswer = MockResponse | Response | Error;

/** Which requests a mock answers, and how. */
export interface MockRoute {
  /** The method, in upper or lower case; any by default. */
  readonly method?: string | undefined;
  /**
   * A URL, or a path on any server: any query matches if none is written, otherwise the same parameters in any order.
   * A regular expression is searched for in the whole URL, and a function is called with it.
   */
  readonly url: string | URL | RegExp | ((url: URL) => boolean);
  /** The answer, as often as it is asked for, or a function of the request that returns it. */
  readonly response: MockAnswer | ((request: Request) => MockAnswer | Promise<MockAnswer>);
}

/** A request that a mock has got. It is data for tests, with its secrets. */
export interface MockCall {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The headers, their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly body: string;
  /** The route that has answered it; `undefined` if none matches. */
  readonly route: MockRoute | undefined;
}

/** A fetch that answers by itself, and what it was called with. */
export interface Mock {
  /** The fetch, for the option of a client. */
  readonly fetch: Fetch;
  /** What it was called with, in order. */
  readonly calls: readonly MockCall[];
  /** The routes that have answered nothing yet. */
  readonly unused: readonly MockRoute[];
  /** Forgets the calls, and which routes have answered. */
  reset(): void;
}

/** What differs between a request and a route. */
type Part = "method" | "server" | "path" | "query" | "URL";

/** A route that was checked. */
interface ReadRoute {
  readonly route: MockRoute;
  /** What messages call it. */
  readonly name: string;
  /** The path of a route that has one. */
  readonly path: string | undefined;
  /** Which requests it is for, if that can be compared. */
  readonly pattern: unknown;
  readonly differencesOf: (method: string, url: URL) => readonly Part[];
  readonly answer: (request: Request) => Promise<Response>;
}

/**
 * Creates a fetch that answers requests without a network: the first route that matches. Routes with the same method
 * and URL answer one after the other, and the last of them again after that, as in a replay. A request for which there
 * is no route fails, and the message names the nearest route.
 *
 * @throws {TypeError} A route is not valid; the message has its index.
 * @example
 * ```ts
 * const mock = createMock([
 *   { method: "GET", url: "http://api.test/users/1", response: { json: { id: 1 } } },
 *   { method: "POST", url: "/users", response: async (request) => ({ status: 201, json: await request.json() }) },
 * ]);
 * const lab = createClient({ fetch: mock.fetch });
 * (await lab.send("GET http://api.test/users/1")).json.id; // 1
 * (await lab.send("POST http://api.test/users", { json: { id: 2 } })).status; // 201
 * mock.calls.map(({ method, body }) => [method, body]); // [["GET", ""], ["POST", '{"id":2}']]
 * mock.unused; // []
 * ```
 */
export function createMock(routes: readonly MockRoute[]): Mock {
  if (!Array.isArray(routes)) throw new TypeError("createMock takes a list of routes");
  const read = (routes as readonly MockRoute[]).map(readRoute);
  const calls: MockCall[] = [];
  const used = new Set<ReadRoute>();
  return {
    calls,
    get unused() {
      return read.filter((one) => !used.has(one)).map(({ route }) => route);
    },
    reset() {
      calls.length = 0;
      used.clear();
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const { method } = request;
      const url = new URL(request.url);
      const matching = read.filter((one) => one.differencesOf(method, url).length === 0);
      const alike = matching.filter(({ pattern }) => pattern === matching[0]?.pattern);
      const found = takeTurn(alike, used);
      const headers = Object.fromEntries(request.headers);
      const call = { method, url: request.url, headers, body: "", route: found?.route };
      calls.push(call);
      call.body = await request.clone().text();
      if (found === undefined) throw notMocked(read, method, url);
      return await Promise.race([found.answer(request), aborted(request.signal)]);
    },
  };
}

/** Rejects when a request is aborted, so that a function which never answers does not hold it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const ROUTE = { method: true, url: true, response: true } as const;
const RESPONSE = { status: true, headers: true, json: true, text: true, body: true } as const;

function readRoute(route: MockRoute, index: number): ReadRoute {
  const place = `routes[${index}]`;
  if (typeof route !== "object" || route === null) fail(place, route, "an object");
  checkOptions(route, ROUTE, place);
  const { method, url, response } = route;
  if (method !== undefined && typeof method !== "string") {
    fail(`${place}.method`, method, 'a text, such as "GET"');
  }
  const written = method?.toUpperCase();
  const { compare, path } = readUrl(url, `${place}.url`);
  const answer = readResponse(response, `${place}.response`);
  const shown = typeof url === "function" ? "function" : String(url);
  return {
    route,
    name: `${place} (${[written ?? "any method", shown].join(" ")})`,
    path,
    pattern: typeof url === "function" ? url : `${written} ${shown}`,
    differencesOf: (other, wanted) => [
      ...(written === undefined || written === other.toUpperCase() ? [] : (["method"] as const)),
      ...compare(wanted),
    ],
    answer,
  };
}

function readUrl(
  url: MockRoute["url"],
  place: string,
): { readonly compare: (url: URL) => readonly Part[]; readonly path?: string } {
  if (typeof url === "function") return { compare: (wanted) => (url(wanted) ? [] : ["URL"]) };
  // Unlike `test`, `search` does not remember where a pattern with the flag `g` has matched.
  if (url instanceof RegExp) {
    return { compare: ({ href }) => (href.replace(/#.*/s, "").search(url) < 0 ? ["URL"] : []) };
  }
  const text = typeof url === "string" || url instanceof URL ? String(url) : "";
  const isPath = text.startsWith("/");
  const absolute = isPath ? `http://localhost${text}` : text;
  if (!URL.canParse(absolute)) {
    fail(place, url, 'a URL, a path such as "/users", a regular expression or a function');
  }
  const own = new URL(absolute);
  const query = toQuery(own);
  const path = own.pathname;
  return {
    path,
    compare: (wanted) => [
      ...(isPath || own.origin === wanted.origin ? [] : (["server"] as const)),
      ...(path === wanted.pathname ? [] : (["path"] as const)),
      ...(query === "" || query === toQuery(wanted) ? [] : (["query"] as const)),
    ],
  };
}

/** The parameters in an order that does not depend on how they are written. */
function toQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map((pair) => String(new URLSearchParams([pair])))
    .sort()
    .join("&");
}

/** An answer that is no function is checked, and created, at once. */
function readResponse(response: MockRoute["response"], place: string): ReadRoute["answer"] {
  const fixed = typeof response === "function" ? undefined : toResponse(response, place);
  return async (request) => {
    const own = typeof response === "function" ? await response(request) : undefined;
    const answer = fixed ?? toResponse(own, `What ${place} returns`);
    if (!isResponse(answer)) throw answer;
    return markReplayed(answer.clone());
  };
}

function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === "[object Response]";
}

function toResponse(answer: unknown, place: string): Response | Error {
  if (isResponse(answer) || isError(answer)) return answer;
  if (typeof answer !== "object" || answer === null) {
    fail(place, answer, "an object such as { status: 200 }, a Response, an error or a function");
  }
  checkOptions(answer, RESPONSE, place);
  const { status = 200, headers = [], json, text, body } = answer as MockResponse;
  if ([json, text, body].filter((one) => one !== undefined).length > 1) {
    throw new TypeError(`${place} has several bodies: write one of json, text and body`);
  }
  try {
    const list = toHeaderList(headers).map(([name, value]): [string, string] => [name, value]);
    const fields = new Headers(list);
    if (json === undefined) return new Response(text ?? body ?? null, { status, headers: fields });
    if (!fields.has("content-type")) fields.set("content-type", "application/json");
    const written = renderJson(snapshotValue(json as never, "json", "omit"));
    return new Response(written, { status, headers: fields });
  } catch (cause) {
    throw new TypeError(`${place} cannot be used: ${messageOf(cause)}`, { cause });
  }
}

function fail(place: string, value: unknown, wanted: string): never {
  const shown = typeof value === "string" ? JSON.stringify(shorten(value)) : String(value);
  throw new TypeError(`${place} is ${shown}: write ${wanted}`);
}

/** How many routes a message lists. */
const MOST = 10;

function notMocked(routes: readonly ReadRoute[], method: string, url: URL): UnansweredError {
  const reason = "no route of the mock matches it";
  const [near] = nearNames(
    url.pathname,
    routes.flatMap(({ path }) => path ?? []),
  );
  const [nearest] = routes
    .map((route) => ({ ...route, parts: route.differencesOf(method, url) }))
    .filter(
      ({ parts, path }) =>
        (path !== undefined && path === near) || !parts.some((it) => it === "path" || it === "URL"),
    )
    .toSorted((one, other) => one.parts.length - other.parts.length);
  if (nearest !== undefined) {
    const advice = `The nearest is ${nearest.name}, with another ${nearest.parts.join(" and ")}`;
    return new UnansweredError("not-mocked", reason, advice);
  }
  const names = routes.slice(0, MOST).map(({ name }) => name);
  const list = [...names, ...(routes.length > MOST ? ["…"] : [])].join(", ");
  const advice = list === "" ? "It has no routes" : `It has ${list}`;
  return new UnansweredError("not-mocked", reason, advice);
}
