import { dirname } from "node:path";
import { isRecord } from "../../lib/interpolation/mod.ts";
import type { Client, Exchange, ScriptRequest, ScriptRun } from "../../lib/mod.ts";
import { GLOBAL_VARIABLE } from "../../lib/request/mod.ts";
import { type HandlerState, isJson } from "./handler-objects.ts";
import { runTest } from "./test-group.ts";

/** The objects of a script block of httpYac. */
interface BlockObjects {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Applies what the script has set; returns whether it has cancelled the request. */
  readonly end: () => Promise<boolean>;
}

/** The objects of httpYac's script blocks, as its documentation describes them. */
export function createBlockObjects(
  { code, kind, request, exchange }: ScriptRun,
  { client, names, code: exportedCode }: HandlerState,
  file: string,
  requireFile: (name: string) => unknown,
): BlockObjects {
  const module = { exports: {} as unknown };
  const global = (client.getVar(GLOBAL_VARIABLE) ?? {}) as object;
  const written = request === undefined ? undefined : createRequest(request);
  const given = {
    exports: module.exports,
    module,
    require: requireFile,
    __filename: file,
    __dirname: dirname(file),
    test: createBlockTest(exchange),
    sleep: (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds)),
    $global: global,
    ...(written === undefined ? {} : { request: written.current }),
    ...(exchange === undefined ? {} : { response: createResponse(exchange) }),
  };
  const get = (name: string): unknown =>
    request?.getVar(name) ?? client.getVar(name) ?? exportedCode.get(name);
  const set = (name: string, value: unknown): void => {
    client.setVar(name, value);
    names.add(name);
  };
  return {
    parameters: { ...unsupportedIn(code), ...variablesIn(code, client.responses, get), ...given },
    end: async () => {
      if (kind === "before") written?.apply();
      if (Object.keys(global).length > 0) set(GLOBAL_VARIABLE, global);
      const { $cancel, ...exported } = Object((await module.exports) ?? {});
      for (const [name, value] of Object.entries(exported)) {
        const settled = await value;
        exportedCode.delete(name);
        const isCode = holdsCode(settled);
        if (isCode) exportedCode.set(name, settled);
        if (settled === undefined || isCode) client.deleteVar(name);
        else set(name, settled);
      }
      return Boolean($cancel);
    },
  };
}

/** Whether a value is a function, or an object with functions. */
function holdsCode(value: unknown): boolean {
  if (typeof value === "function") return true;
  return isRecord(value) && Object.values(value).some((one) => typeof one === "function");
}

/** Objects of httpYac that restlab does not have, and what to use in their place. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  $random: "write {{$random.uuid}} in the request, or require('node:crypto')",
  $httpyac: "use require",
  $context: "use request and response",
  $requestClient: "use request",
  httpFile: "use __filename",
  httpRegion: "use request",
};

/** Objects that say so when code uses them; a name that is declared nowhere would be a `ReferenceError` without advice. */
function unsupportedIn(code: string): Readonly<Record<string, unknown>> {
  const found = Object.entries(UNSUPPORTED).filter(([name]) => code.includes(name));
  const objects = found.map(([name, advice]) => {
    const fail = (): never => {
      throw new ReferenceError(`"${name}" of httpYac is not supported: ${advice}`);
    };
    return [name, new Proxy(fail, { get: fail, set: fail, apply: fail })] as const;
  });
  return Object.fromEntries(objects);
}

/** The variables that code mentions, and the bodies of the responses to named requests, by their names. */
function variablesIn(
  code: string,
  responses: Readonly<Record<string, Exchange>>,
  get: (name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const mentioned = new Set(code.match(/(?<![\p{L}\p{N}_$]|exports\.)[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const found = [...mentioned].flatMap((name) => {
    if (!IDENTIFIER.test(name)) return [];
    const of = (request: string) =>
      Object.hasOwn(responses, request) ? responses[request] : undefined;
    const exchange = of(name);
    const whole = of(/^(.+)Response$/.exec(name)?.[1] ?? "");
    const value =
      exchange === undefined
        ? ((whole && createResponse(whole)) ?? get(name))
        : createResponse(exchange)["parsedBody"];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The request with the values of the moment, which a script may change. */
function createRequest(request: ScriptRequest): {
  readonly current: Record<string, unknown>;
  /** Changes the request that is sent. */
  readonly apply: () => void;
} {
  const headers = headersOf(request);
  const body = request.body.render();
  const before = { method: request.method, url: request.url.render(), body: body || undefined };
  const current: Record<string, unknown> = { ...before, headers: headersOf(request) };
  return {
    current,
    apply: () => {
      const after = (current["headers"] ?? {}) as Record<string, unknown>;
      const changed = new Map<string, string | readonly string[] | undefined>();
      for (const name of new Set([...Object.keys(headers), ...Object.keys(after)])) {
        const [value, former] = [toValue(after[name]), headers[name]];
        if (JSON.stringify(value) !== JSON.stringify(former)) changed.set(name, value);
      }
      const { method, url } = current;
      request.change({
        ...(method === before.method ? {} : { method: String(method) }),
        ...(url === before.url ? {} : { url: String(url) }),
        ...(current["body"] === before.body ? {} : { body: toText(current["body"]) }),
        ...(changed.size === 0 ? {} : { headers: changed }),
      });
    },
  };
}

/** The headers by name; one that is written several times is a list, as in httpYac. */
function headersOf(request: ScriptRequest): Readonly<Record<string, string | string[]>> {
  const headers: Record<string, string | string[]> = {};
  const names = new Map<string, string>();
  for (const { name, value } of request.headers) {
    if (name === "") continue;
    const first = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), first);
    const before = headers[first];
    headers[first] = before === undefined ? value.render() : [before, value.render()].flat();
  }
  return headers;
}

function toValue(value: unknown): string | readonly string[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(String) : String(value);
}

function toText(body: unknown): string {
  if (body === undefined || body === null) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The function `test` of httpYac's scripts, with its tests of the response; without a response they do nothing. */
function createBlockTest(exchange: Exchange | undefined): typeof runTest {
  const check =
    <T extends readonly unknown[]>(
      nameOf: (...values: T) => string,
      differs: (exchange: Exchange, ...values: T) => string | undefined,
    ) =>
    (...values: T): void => {
      if (exchange === undefined) return;
      runTest(nameOf(...values), () => {
        const difference = differs(exchange, ...values);
        if (difference !== undefined) throw new Error(difference);
      });
    };
  const test = (name: unknown, run: unknown): Promise<void> => runTest(name, run);
  return Object.assign(test, {
    skip: runTest.skip,
    status: check(
      (expected: number) => `response status equals to ${expected}`,
      ({ status }, expected) =>
        status === expected ? undefined : `The status is ${status}, expected ${expected}`,
    ),
    totalTime: check(
      (limit: number) => `total time exceeded ${limit}`,
      ({ timing: { total } }, limit) =>
        total < limit ? undefined : `The response took ${total} ms, expected less than ${limit} ms`,
    ),
    header: check(
      (name: string, expected: unknown) => `response header ${name} equals ${expected}`,
      ({ headers }, name, expected) => {
        const found = headers.get(name) ?? undefined;
        if (found === expected) return undefined;
        return `The header "${name}" is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;
      },
    ),
    headerContains: check(
      (name: string, expected: string) => `response header ${name} contains ${expected}`,
      ({ headers }, name, expected) => {
        const found = headers.get(name) ?? undefined;
        if (found?.includes(expected)) return undefined;
        return `The header "${name}" is ${JSON.stringify(found)}, which does not contain "${expected}"`;
      },
    ),
    responseBody: check(
      (expected: unknown) => `response body equals ${expected}`,
      ({ text }, expected) => (text === expected ? undefined : "The body is not the expected text"),
    ),
    hasResponseBody: check(
      () => "response body exists",
      ({ text }) => (text === "" ? "The response has no body" : undefined),
    ),
    hasNoResponseBody: check(
      () => "response body does not exists",
      ({ text }) => (text === "" ? undefined : "The response has a body"),
    ),
  });
}

/** The names that an expression of httpYac sees: the response, the request, and the variables. */
export function createExpressionObjects(
  client: Client,
  code: string,
  request: ScriptRequest,
  exchange: Exchange | undefined,
): Readonly<Record<string, unknown>> {
  const variables = [...client.vars.keys()]
    .filter((name) => IDENTIFIER.test(name) && code.includes(name))
    .map((name) => [name, client.getVar(name)] as const);
  return {
    ...Object.fromEntries(variables),
    request: createRequest(request).current,
    ...(exchange === undefined ? {} : { response: createResponse(exchange) }),
  };
}

/** A name that a function may have as a parameter, in strict code as well. */
const IDENTIFIER: RegExp =
  /^(?!(?:await|arguments|eval|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$)[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** The response as httpYac describes it. */
function createResponse(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { headers, mediaType, status, statusText, timing } = exchange;
  const cookies = headers.getSetCookie();
  return {
    statusCode: status,
    statusMessage: statusText,
    // The only header of which there is always a list.
    headers: {
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 && { "set-cookie": cookies }),
    },
    contentType: { mimeType: mediaType, contentType: headers.get("content-type") ?? undefined },
    timings: { total: timing.total },
    get body() {
      return exchange.text;
    },
    get parsedBody() {
      return isJson(exchange) ? exchange.json : undefined;
    },
    get rawBody() {
      return exchange.bytes;
    },
  };
}
