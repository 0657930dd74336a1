import {
  AssertionError,
  denoInspect,
  maskRequest,
  NoResponseError,
  nodeInspect,
  noteCall,
  ScriptError,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import { CredentialError } from "../http/auth/mod.ts";
import { TemplateSyntaxError, UnresolvedPlaceholderError } from "../interpolation/mod.ts";
import { InvalidHeaderError, RequestCheckError, RequestSyntaxError } from "../request/mod.ts";
import { maskValue, type Secrets } from "../secrets/mod.ts";
import { EnvironmentError, PromptError } from "../variables/mod.ts";
import { PaginationError } from "./fetch-pages.ts";
import { SchemaError } from "./standard-schema.ts";

/**
 * The border between a client and the program that uses it. An error that crosses it has the stack of the call, whose
 * first line is the program's own, and neither a console nor a logger finds secrets in it.
 */

/** Errors of the library. What a person's hook has thrown is handed on as it is. */
const OWN = [
  NoResponseError,
  AssertionError,
  ScriptError,
  UnsendableRequestError,
  UnresolvedPlaceholderError,
  TemplateSyntaxError,
  RequestSyntaxError,
  RequestCheckError,
  InvalidHeaderError,
  CredentialError,
  PaginationError,
  EnvironmentError,
  PromptError,
  SchemaError,
];

/** What V8 writes the frames of; on other engines, their own. */
interface Call {
  stack?: string;
}

type Method = (...args: never[]) => unknown;

/** V8's, which JavaScriptCore has as well; SpiderMonkey since 138. */
const { captureStackTrace } = Error as {
  captureStackTrace?: (target: object, above: Method) => void;
};

/** The call during whose beginning something is called. */
let running: Call | undefined;

/** Calls a function as a part of a call. */
function during<Result>(call: Call, action: () => Result): Result {
  const before = running;
  running = call;
  try {
    return action();
  } finally {
    running = before;
  }
}

/** A function that a call of a client uses later, whose errors belong to that call. */
export function asPartOfCall<Called extends Method>(called: Called): Called {
  const call = running ?? {};
  return ((...args) => during(call, () => called(...args))) as Called;
}

/** A loop over what a call of a client has returned: its errors belong to that call. */
export function loopOfCall<Item, Args extends unknown[]>(
  open: (...args: Args) => AsyncIterable<Item>,
  secrets: Secrets,
): (...args: Args) => AsyncGenerator<Item, void, undefined> {
  const call = running ?? {};
  return async function* loop(...args) {
    try {
      yield* open(...args);
    } catch (error) {
      throw leave(error, call, secrets);
    }
  };
}

/** A member of a client whose errors are made ready for the program that calls it. */
export function asCall<Called extends Method>(called: Called, secrets: Secrets): Called {
  const member = (...args: never[]): unknown => {
    const call = running ?? begin(member);
    const fail = (error: unknown): never => {
      throw leave(error, call, secrets);
    };
    try {
      const result = during(call, () => called(...args));
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
  return member as Called;
}

function begin(member: Method): Call {
  // Bun writes the stack of an error only.
  const call: Call = new Error("called");
  captureStackTrace?.(call, member);
  return call;
}

const LEFT = new WeakSet<Error>();

/** Gives an error of the library the stack of the call, and hides its secrets from whoever prints or copies it. */
function leave(thrown: unknown, call: Call, secrets: Secrets): unknown {
  if (!OWN.some((type) => thrown instanceof type)) return thrown;
  const error = thrown as Error;
  if (LEFT.has(error)) return error;
  LEFT.add(error);
  error.message = secrets.mask(error.message);
  const said = textsOf(error.cause);
  // A program may compare the reason of an abort: it is replaced only where it has to be.
  if (secrets.mask(said) !== said) error.cause = maskValue(error.cause, secrets);
  const frames = /\n\s+at .*/s.exec(call.stack ?? "")?.[0];
  if (frames !== undefined) {
    error.stack = `${error.name}: ${error.message}${frames}`;
    noteCall(error, call);
  }
  const data = (): Record<string, unknown> => dataOfError(error, members, secrets);
  const members = Object.keys(error).filter((key) => key !== "name");
  for (const key of members) {
    // A logger copies what is enumerable.
    const isData = typeof Reflect.get(error, key) === "object" || key === "source";
    if (isData) Object.defineProperty(error, key, { enumerable: false });
  }
  const shown = (): Error => {
    const copy = maskValue(error, secrets) as Error;
    for (const [key, value] of Object.entries(data())) {
      Object.defineProperty(copy, key, { value, enumerable: true });
    }
    return copy;
  };
  const methods = {
    toJSON: () => ({ name: error.name, message: error.message, ...data() }),
    [nodeInspect]: (_depth: number, options: object, inspect: Inspect) => inspect(shown(), options),
    [denoInspect]: (inspect: Inspect, options: object) => inspect(shown(), options),
  };
  for (const key of Reflect.ownKeys(methods)) {
    Object.defineProperty(error, key, { value: Reflect.get(methods, key), configurable: true });
  }
  return error;
}

/** What an error and its causes say, which loggers write. */
function textsOf(error: unknown, seen: readonly unknown[] = []): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : "";
  // An error may be its own cause.
  if (seen.includes(error)) return "";
  // Such as the `input` of an invalid URL.
  const own = Object.values(error).filter((value) => typeof value === "string");
  return [error.message, error.stack, ...own, textsOf(error.cause, [...seen, error])].join("\n");
}

type Inspect = (value: unknown, options: object) => string;

/** The members of an error without secrets. */
function dataOfError(
  error: Error,
  members: readonly string[],
  secrets: Secrets,
): Record<string, unknown> {
  const entries = members.flatMap((key) => {
    const value: unknown = Reflect.get(error, key);
    if (value === undefined) return [];
    const isRequest = error instanceof NoResponseError && key === "request";
    const shown = isRequest ? maskRequest(error.request, secrets) : maskValue(value, secrets);
    return [[key, shown] as const];
  });
  return Object.fromEntries(entries);
}
