import {
  type Explanation,
  type Generated,
  type GeneratedPlaceholder,
  nearNames,
  type Placeholder,
  parsePath,
  type Value,
  writtenAt,
} from "../interpolation/mod.ts";
import { GLOBAL_VARIABLE, toPrompt } from "../request/mod.ts";
import { formatLocal, formatUtc, moveDate, readDateRequest } from "./dates.ts";
import {
  type Faker,
  type FakerCall,
  findPostmanCall,
  generateWithFaker,
  postmanNames,
} from "./faker.ts";

/** What generated values are made of. */
interface GeneratorContext {
  readonly random: Random;
  readonly now: () => Date;
  /** Reads a variable of the process, of the `.env` file or of the shared environment. */
  readonly outside: (source: Outside, name: string) => Generated;
  /** Reads a variable, for `{{$processEnv %name}}`. */
  readonly variable: (name: string) => Value | undefined;
  /** Reads the answer to `{{$input …}}`, by the name of the prompt. */
  readonly answer: (name: string) => Value | undefined;
  /** Gets a token of a login in the environment. */
  readonly login: (argument: string) => Generated;
  /** The library of realistic data, or why it is not loaded; `undefined` if it may be loaded elsewhere. */
  readonly faker: () => Faker | string | undefined;
}

/** Where values come from that are not variables of the client. */
export type Outside = "process" | "dotenv" | "shared";

type Generator = (argument: string, context: GeneratorContext) => Generated;

function value(made: Value): Generated {
  return { value: made };
}

function problem(message: string, hint?: string): Explanation {
  return hint === undefined ? { message } : { message, hint };
}

const CALL = /^\.?\s*([\w.]+)\s*(?:\(([\s\S]*)\))?$/;

const LENGTH_LIMIT = 1_000_000;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The values of JetBrains' `$random.…` that need no realistic data. */
const RANDOM: Readonly<Record<string, Generator>> = {
  uuid: bare(({ random }) => random.uuid()),
  uuidv7: bare(orderedUuid),
  email: bare((context) => `${letters(8, context)}@${letters(6, context)}.example`.toLowerCase()),
  integer: (words, context) => integer(words.split(/\s*,\s*/), context),
  float: (words, { random }) => {
    const bounds = words === "" ? [0, 1000] : words.split(",").map(Number);
    const [from = 0, to = 0] = bounds.length === 1 ? [0, ...bounds] : bounds;
    if (bounds.length > 2 || !(from < to) || !Number.isFinite(to - from)) {
      return problem(`"${words}" are not bounds`);
    }
    return value(from + random.next() * (to - from));
  },
  alphabetic: text(LETTERS),
  alphanumeric: text(`${LETTERS}0123456789_`),
  hexadecimal: text("0123456789ABCDEF"),
  numeric: text("0123456789"),
};

/** The generated values, under the names that other clients use. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  $uuid: bare(({ random }) => random.uuid()),
  $guid: bare(({ random }) => random.uuid()),
  $uuidv7: bare(orderedUuid),
  $uuid7: bare(orderedUuid),
  $timestamp: moved((date) => Math.floor(date.getTime() / 1000)),
  $timestampMs: moved((date) => date.getTime()),
  $isoTimestamp: moved((date) => date.toISOString()),
  $date: (argument, { now }) =>
    dated(readDateRequest(`"YYYY-MM-DD" ${argument}`, now()), formatLocal),
  $datetime: (argument, { now }) => dated(readDateRequest(argument, now()), formatUtc),
  $localDatetime: (argument, { now }) => dated(readDateRequest(argument, now()), formatLocal),
  $randomInt: (argument, context) => integer(argument.split(/\s+/), context),
  $random: generateRandom,
  $faker: (argument, context) =>
    called(argument, (path, words) => realistic({ path, words }, context)),
  $env: (argument, context) => outside("process", argument.replace(/^\./, ""), context),
  $processEnv: (argument, context) => outside("process", argument, context),
  $dotenv: (argument, context) => outside("dotenv", argument, context),
  $dotEnv: (argument, context) => outside("dotenv", argument, context),
  $shared: (argument, context) => outside("shared", argument, context),
  $global: (argument, { variable }) => memberOfGlobal(argument, variable(GLOBAL_VARIABLE)),
  $auth: (argument, { login }) => login(argument),
};

/** Generates the value of `{{$name …}}`. */
export function generateValue(
  placeholder: GeneratedPlaceholder,
  context: GeneratorContext,
): Generated {
  const prompt = toPrompt(placeholder);
  if (prompt !== undefined) {
    const answer = context.answer(prompt.name);
    if (answer !== undefined) return value(answer);
    return problem(
      "it is asked for when the request is sent",
      "Send the request, or use a variable",
    );
  }
  const { name, argument } = placeholder;
  const generate = Object.hasOwn(GENERATORS, name) ? GENERATORS[name] : undefined;
  if (generate !== undefined) return generate(argument, context);
  const call = findPostmanCall(name);
  if (call !== undefined) {
    if (argument !== "") return problem(`it takes no arguments, found "${argument}"`);
    return realistic(call, context);
  }
  return explainUnsupported(name) ?? explainUnknown(name);
}

function explainUnknown(name: string): Explanation {
  const near = nearNames(name, [...Object.keys(GENERATORS), ...postmanNames()]);
  const known = near.length > 0 ? near : Object.keys(GENERATORS);
  const listed = known.map((one) => `"${one}"`);
  return problem(
    `there is no generated value "${name}"`,
    near.length > 0 ? `Did you mean ${listed.join(" or ")}?` : `There are ${listed.join(", ")}`,
  );
}

/** Whether a placeholder needs realistic data, which has to be loaded first. */
function needsFaker({ name, argument }: GeneratedPlaceholder): boolean {
  if (name === "$faker" || findPostmanCall(name) !== undefined) return true;
  const [, path = ""] = CALL.exec(argument) ?? [];
  return name === "$random" && !Object.hasOwn(RANDOM, path);
}

function bare(make: (context: GeneratorContext) => Value): Generator {
  return (argument, context) =>
    argument === "" ? value(make(context)) : problem(`it takes no arguments, found "${argument}"`);
}

function moved(make: (date: Date) => Value): Generator {
  return (argument, { now }) => {
    const date = moveDate(argument, now());
    return typeof date === "string" ? problem(date) : value(make(date));
  };
}

function dated<T>(request: T | string, format: (request: T) => string): Generated {
  return typeof request === "string" ? problem(request) : value(format(request));
}

/** A UUID of version 7 (RFC 9562, 5.7): 48 bits of milliseconds since 1970, and random ones. */
function orderedUuid({ random, now }: GeneratorContext): string {
  const time = Math.max(0, now().getTime()).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`;
}

/** The first bound is inclusive, the second exclusive, as in all other clients. */
function integer(parts: readonly string[], { random }: GeneratorContext): Generated {
  const words = parts.filter(Boolean);
  if (words.length === 0) return value(random.integer(0, 1001));
  if (!words.every((word) => /^[+-]?\d+$/.test(word)) || words.length > 2) {
    return problem(`"${words.join(" ")}" are not bounds`, "Write two integers, for example 1 10");
  }
  const [to = 0, from = 0] = words.map(Number).reverse();
  if (from >= to) return problem(`there is no integer from ${from} to below ${to}`);
  return value(random.integer(from, to));
}

function text(characters: string): Generator {
  return (words, { random }) => {
    const length = Number(words || "10");
    if (!Number.isInteger(length) || length < 1 || length > LENGTH_LIMIT) {
      return problem(`"${words}" is not a length: write a whole number from 1 to ${LENGTH_LIMIT}`);
    }
    let made = "";
    while (made.length < length) made += characters[random.integer(0, characters.length)];
    return value(made);
  };
}

function letters(length: number, { random }: GeneratorContext): string {
  return Array.from({ length }, () => LETTERS[random.integer(0, LETTERS.length)]).join("");
}

function called(argument: string, make: (path: string, words: string) => Generated): Generated {
  const [, path, words = ""] = CALL.exec(argument) ?? [];
  if (path === undefined) {
    return problem(`"${argument}" is not a name`, "Write, for example, .integer(1, 10)");
  }
  return make(path, words.trim());
}

function generateRandom(argument: string, context: GeneratorContext): Generated {
  return called(argument, (path, words) => {
    const generate = Object.hasOwn(RANDOM, path) ? RANDOM[path] : undefined;
    return generate === undefined ? realistic({ path, words }, context) : generate(words, context);
  });
}

function realistic(call: FakerCall, context: GeneratorContext): Generated {
  const loaded = context.faker();
  if (loaded === undefined) return { value: "" };
  if (typeof loaded === "string") return problem(`${call.path} is realistic data, and ${loaded}`);
  return generateWithFaker(call, loaded, context);
}

function outside(source: Outside, argument: string, context: GeneratorContext): Generated {
  const isIndirect = argument.startsWith("%");
  const written = isIndirect ? argument.slice(1).trim() : argument;
  if (written === "") return problem("it needs the name of a variable");
  const name = isIndirect ? context.variable(written) : written;
  if (name === undefined) {
    return problem(
      `there is no variable "${written}", whose value would be the name`,
      `Write {{… ${written}}} without "%" if that is the name`,
    );
  }
  if (typeof name !== "string") {
    return problem(`the variable "${written}" does not contain the name of a variable`);
  }
  return context.outside(source, name);
}

/**
 * Finds a member of `$global` of httpYac's scripts, for `{{$global.login.token}}`.
 *
 * @param path What follows `$global`.
 * @param members The members; `undefined` if no script has set one.
 */
function memberOfGlobal(path: string, members: Value | undefined): Generated {
  const hint = `Run a script first that sets it: $global${path} = …`;
  if (!/^[.[]/.test(path)) return { message: "it has no value itself", hint: "Write $global.name" };
  const steps = parsePath(path.replace(/^\./, ""));
  if (steps === undefined) return problem(`"${path}" is not a path`, "Write $global.name");
  const found = writtenAt(members, steps);
  return found === undefined ? { message: "no script has set it", hint } : { value: found };
}

/** What has to be loaded before a text can be rendered. */
interface Needs {
  readonly faker: boolean;
  readonly files: boolean;
  readonly tokens: readonly GeneratedPlaceholder[];
}

/** Finds what the generated values of a text need. */
export function needsOf(placeholders: readonly Placeholder[]): Needs {
  const generated = placeholders.filter((placeholder) => placeholder.kind === "generated");
  return {
    faker: generated.some(needsFaker),
    files: generated.some(({ name }) => /^\$(?:dotenv|shared)$/i.test(name)),
    tokens: generated.filter(({ name }) => name === "$auth"),
  };
}

/** A source of random numbers, repeatable if it was created with a seed. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** An integer from `from` up to, but not including, `to`. */
  integer(from: number, to: number): number;
  /** A version 4 UUID. */
  uuid(): string;
  /** A copy that continues from here without affecting this source. */
  fork(): Random;
}

/**
 * Creates a source of random numbers.
 *
 * @param seed The same seed gives the same numbers; without one they differ each time.
 */
export function createRandom(seed?: number | string): Random {
  return seed === undefined ? createUnseeded() : createSeeded(hash(String(seed)));
}

function createUnseeded(): Random {
  const random: Random = {
    next: Math.random,
    integer: (from, to) => from + Math.floor(Math.random() * (to - from)),
    uuid: () => crypto.randomUUID(),
    fork: () => random,
  };
  return random;
}

/** Mulberry32: 32 bits of state are enough for repeatable test data. */
function createSeeded(start: number): Random {
  let state = start;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  const uuid = (): string =>
    "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (mark) =>
      (mark === "x" ? integer(0, 16) : integer(8, 12)).toString(16),
    );
  return { next, integer, uuid, fork: () => createSeeded(state) };
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}

/** Explains that a generated value of another client is not supported, and says what to write instead. */
function explainUnsupported(name: string): Explanation | undefined {
  if (Object.hasOwn(UNSUPPORTED, name)) return UNSUPPORTED[name];
  if (!/^\$[A-Z][A-Z\d_]*$/.test(name)) return undefined;
  return problem(
    `there is no generated value "${name}"`,
    `Write {{$env.${name.slice(1)}}} for a variable of the process`,
  );
}

/** Generated values of other clients that are not supported, and their replacements. */
const UNSUPPORTED: Readonly<Record<string, Explanation>> = {
  $aadToken: toLogIn("VS Code's REST Client logs in to Azure with it"),
  $aadV2Token: toLogIn("VS Code's REST Client logs in to Azure with it"),
  $oidcAccessToken: toLogIn("VS Code's REST Client logs in to an OpenID Connect server with it"),
  $response: problem(
    "only scripts of JetBrains' HTTP client read a response from it",
    "Name the request with # @name login, then use {{login.response.…}}",
  ),
  $projectRoot: onlyIn("JetBrains' editor", "Write paths relative to the folder of the file"),
  $historyFolder: onlyIn("JetBrains' editor", "Write >> path to save the body of a response"),
  $exampleServer: onlyIn("JetBrains' editor", "Write the URL of a server"),
  $placeholder: onlyIn("JetBrains' editor", "Replace it with a value"),
  $timestampISO8601: onlyIn("resterm", "Write {{$isoTimestamp}}"),
  $randomString: onlyIn("resterm", "Write {{$random.alphanumeric(16)}}"),
  $randomChoice: onlyIn("resterm", 'Write {{$faker.helpers.arrayElement(["a", "b"])}}'),
  $randomName: onlyIn("resterm", "Write {{$randomFullName}}"),
  $fake: onlyIn("resterm", "Write {{$faker.person.fullName}}"),
};

function toLogIn(what: string): Explanation {
  return problem(
    `${what}, which is not supported`,
    "Write Authorization: OAuth2 authorization_code NAME, with the variables NAME_issuer and NAME_clientId",
  );
}

function onlyIn(client: string, hint: string): Explanation {
  return problem(`only ${client} supports it`, hint);
}
