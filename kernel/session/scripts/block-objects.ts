import { dirname, resolve } from "node:path";
import type { Exchange, ScriptRequest, ScriptRun } from "../../../lib/mod.ts";
import { GLOBAL_VARIABLE } from "../../../lib/request/mod.ts";
import { createBlockTest } from "./block-test.ts";
import { createResponse, IDENTIFIER } from "./expression-objects.ts";
import type { HandlerState } from "./handler-objects.ts";

/** The objects of a script block of httpYac. */
interface BlockObjects {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Applies what the script has set; returns whether it has cancelled the request. */
  readonly end: () => Promise<boolean>;
}

/** The objects of httpYac's script blocks, as its documentation describes them. */
export function createBlockObjects(
  { code, kind, location, request, exchange }: ScriptRun,
  { client, directory, names }: HandlerState,
  requireFrom: (file: string) => (name: string) => unknown,
): BlockObjects {
  const file = resolve(directory, location.file ?? "script.http");
  const module = { exports: {} as unknown };
  const global = (client.getVar(GLOBAL_VARIABLE) ?? {}) as object;
  const written = request === undefined ? undefined : createRequest(request);
  const given = {
    exports: module.exports,
    module,
    require: requireFrom(file),
    __filename: file,
    __dirname: dirname(file),
    test: createBlockTest(exchange),
    sleep: (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds)),
    $global: global,
    ...(written === undefined ? {} : { request: written.current }),
    ...(exchange === undefined ? {} : { response: createResponse(exchange) }),
  };
  const get = (name: string): unknown => request?.getVar(name) ?? client.getVar(name);
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
        if (settled === undefined) client.deleteVar(name);
        else set(name, settled);
      }
      return Boolean($cancel);
    },
  };
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
  const mentioned = new Set(code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const found = [...mentioned].flatMap((name) => {
    if (!IDENTIFIER.test(name)) return [];
    const exchange = Object.hasOwn(responses, name) ? responses[name] : undefined;
    const value = exchange === undefined ? get(name) : createResponse(exchange)["parsedBody"];
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
  const headers = Object.fromEntries(
    request.headers.flatMap(({ name, value }) => (name === "" ? [] : [[name, value.render()]])),
  );
  const body = request.body.render();
  const before = { method: request.method, url: request.url.render(), body: body || undefined };
  const current: Record<string, unknown> = { ...before, headers: { ...headers } };
  return {
    current,
    apply: () => {
      const after = (current["headers"] ?? {}) as Record<string, unknown>;
      const changed = new Map<string, string | undefined>();
      for (const name of new Set([...Object.keys(headers), ...Object.keys(after)])) {
        if (after[name] === headers[name]) continue;
        changed.set(name, after[name] === undefined ? undefined : String(after[name]));
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

function toText(body: unknown): string {
  if (body === undefined || body === null) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}
