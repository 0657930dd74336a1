import { selectJson } from "../../lib/interpolation/mod.ts";
import type { Client, Exchange, ScriptRequest, Value, WrittenText } from "../../lib/mod.ts";
import { isJsonType } from "../../lib/request/mod.ts";
import { REALM } from "./cell/mod.ts";
import { createHandlerCrypto } from "./handler-crypto.ts";
import { type Settings, setHeader } from "./settings.ts";
import { runTest } from "./test-group.ts";

/** What the scripts of a session share. */
export interface HandlerState {
  readonly client: Client;
  /** The headers of all later requests. */
  readonly headers: Settings["headers"];
  /** The folder that the paths of files are relative to. */
  readonly directory: string;
  /** The names of the variables that scripts have set. */
  readonly names: Set<string>;
  /** What scripts have exported for later ones and no request can contain: functions, and objects with some. */
  readonly code: Map<string, unknown>;
}

/** Ends a script by `client.exit()`. */
export const EXIT: unique symbol = Symbol("client.exit");

/** The objects of the HTTP client of JetBrains' IDEs, as its documentation describes them. */
export function createHandlerObjects(
  { client, headers, names }: HandlerState,
  request: ScriptRequest,
  exchange: Exchange | undefined,
): Readonly<Record<string, unknown>> {
  const global = {
    set: (name: string, value: unknown): void => {
      client.setVar(name, value);
      names.add(name);
    },
    get: (name: string): unknown => client.getVar(name) ?? null,
    isEmpty: (): boolean => ![...names].some((name) => client.hasVar(name)),
    clear: (name: string): void => {
      client.deleteVar(name);
      names.delete(name);
    },
    clearAll: (): void => {
      for (const name of names) client.deleteVar(name);
      names.clear();
    },
    headers: {
      set: (name: string, value: unknown): void => setHeader(headers, name, String(value)),
      clear: (name: string): void => setHeader(headers, name, undefined),
    },
  };
  return {
    client: {
      test: runTest,
      assert: (condition: unknown, message?: unknown): void => {
        if (!condition) {
          throw new Error(message === undefined ? "Assertion failed" : String(message));
        }
      },
      // The console of the cell, whose output is captured and masked.
      log: (...values: readonly unknown[]): void => REALM.console.log(...values),
      exit: (): never => {
        throw EXIT;
      },
      global,
    },
    request: createRequest(request),
    ...(exchange === undefined ? {} : { response: createResponse(exchange) }),
    $random: createRandom(request),
    crypto: createHandlerCrypto(),
    jsonPath: (value: unknown, query: unknown): unknown =>
      selectJson(value as Value, String(query)) ?? null,
  };
}

function createRequest(request: ScriptRequest): Readonly<Record<string, unknown>> {
  const own = new Set<string>();
  const get = (name: string): unknown => request.getVar(name) ?? null;
  const set = (name: string, value: unknown): void => {
    request.setVar(name, value);
    own.add(name);
  };
  const toHeader = ({ name, value }: ScriptRequest["headers"][number]): object => ({
    name,
    ...toText(value),
    getRawValue: () => value.raw,
  });
  return {
    method: request.method,
    url: Object.assign(() => request.url.render(), toText(request.url)),
    body: Object.assign(() => request.body.render(), toText(request.body)),
    headers: {
      all: () => request.headers.map(toHeader),
      findByName: (name: string): unknown => {
        const found = request.headers.find(
          (header) => header.name.toLowerCase() === name.toLowerCase(),
        );
        return found === undefined ? null : toHeader(found);
      },
    },
    environment: { get },
    variables: { get, set, isEmpty: () => own.size === 0 },
  };
}

function toText(text: WrittenText): object {
  return {
    getRaw: () => text.raw,
    tryGetSubstituted: () => text.render(),
    value: () => text.render(),
  };
}

function createResponse(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { headers, mediaType } = exchange;
  const valuesOf = (name: string): readonly string[] => headerValues(exchange, name);
  const [, charset] = /charset=["']?([^"';\s]+)/i.exec(headers.get("content-type") ?? "") ?? [];
  return {
    status: exchange.status,
    body: bodyOf(exchange),
    headers: { valueOf: (name: string) => valuesOf(name)[0] ?? null, valuesOf },
    contentType: { mimeType: mediaType, charset: charset ?? null },
  };
}

/** The values of a header in their order; without the lines of the connection, one that was repeated is one text. */
function headerValues({ headers, connection }: Exchange, name: string): readonly string[] {
  const lower = name.toLowerCase();
  if (lower === "set-cookie") return headers.getSetCookie();
  const value = headers.get(name);
  if (value === null) return [];
  const lines = connection?.headers.filter(([one]) => one.toLowerCase() === lower) ?? [];
  const values = lines.map(([, one]) => one);
  // A hook may have replaced the response.
  return values.join(", ") === value ? values : [value];
}

/** The body as JSON if its type says so, else as text. */
function bodyOf(exchange: Exchange): unknown {
  return isJson(exchange) ? exchange.json : exchange.text;
}

/** Whether the body of a response is JSON, by its type and its text. */
export function isJson(exchange: Exchange): boolean {
  try {
    return isJsonType(exchange.mediaType) && exchange.json !== undefined;
  } catch {
    // The type is not true: it is a text.
    return false;
  }
}

/** The generated values of `$random` of JetBrains, which a seed makes reproducible. */
function createRandom(request: ScriptRequest): Readonly<Record<string, unknown>> {
  const generate = (name: string, values: readonly unknown[]): string => {
    const numbers = values.map((value) => {
      const number = Number(value);
      if (!Number.isNaN(number)) return number;
      throw new TypeError(`Cannot generate $random.${name}: "${value}" is not a number`);
    });
    return request.generate(
      "$random",
      `.${name}${numbers.length === 0 ? "" : `(${numbers.join(", ")})`}`,
    );
  };
  const text =
    (name: string) =>
    (...values: readonly unknown[]): string =>
      generate(name, values);
  const number =
    (name: string) =>
    (...values: readonly unknown[]): number =>
      Number(generate(name, values));
  return {
    integer: number("integer"),
    float: number("float"),
    alphabetic: text("alphabetic"),
    alphanumeric: text("alphanumeric"),
    hexadecimal: text("hexadecimal"),
    get uuid() {
      return generate("uuid", []);
    },
    get email() {
      return generate("email", []);
    },
  };
}
