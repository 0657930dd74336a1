import type { Cell } from "../../lib/display/mod.ts";
import { isNumberText, nearNames, shorten } from "../../lib/interpolation/mod.ts";
import {
  type Client,
  type Origin,
  RequestSyntaxError,
  renderJson,
  type Value,
} from "../../lib/mod.ts";
import { HIDDEN } from "../../lib/secrets/mod.ts";
import {
  type Choice,
  type Command,
  CommandError,
  choicesOf,
  type Shell,
  type Typed,
} from "./shell.ts";

const MAX_SHOWN = 60;

export const VARIABLE_COMMANDS: readonly Command[] = [
  {
    name: "vars",
    usage: "[NAME]",
    summary: "list the variables with their types and sizes, or show one in full",
    examples: [[".vars"], [".vars base", "its whole value"]],
    complete: (typed) => (typed.before.length === 0 ? variables(typed) : []),
    run: async (argument, shell) => {
      if (argument !== "") return await showOne(argument, shell);
      const { client } = shell;
      const names = [...client.vars.keys()].sort();
      if (names.length === 0) return shell.print("No variables: .set NAME VALUE sets one");
      await shell.page((printer) =>
        printer.blocks([
          {
            kind: "table",
            columns: ["name", "type", "size", "origin", "value"],
            rows: names.map((name) => rowOf(name, client)),
            total: names.length,
            totalColumns: 5,
          },
        ]),
      );
    },
  },
  {
    name: "set",
    usage: "[--secret] NAME VALUE",
    summary: "set a variable; JSON values are JSON, anything else is text",
    examples: [
      ['.set page {"limit": 2}', "for {{page.limit}}"],
      [".set --secret token abc-123", "never shown"],
      [".set --secret token", "asks for the value and does not show it"],
    ],
    complete: (typed) => (typed.before.every(isOption) ? variables(typed) : []),
    run: async (argument, shell) => {
      const [, secret, rest = ""] = /^(--secret(?:\s+|$))?([\s\S]*)$/.exec(argument) ?? [];
      const [, name, given] = /^([^\s=]+)(?:(?:\s*=\s*|\s+)([\s\S]+))?$/.exec(rest) ?? [];
      const asks = secret !== undefined && given === undefined;
      if (name === undefined || (given === undefined && !asks)) fail("write .set NAME VALUE");
      const value = given ?? (await askUnseen(name, shell));
      if (secret === undefined) await setVariable(name, value, shell);
      else await setSecret(name, value, shell);
    },
  },
  {
    name: "delete",
    usage: "NAME...",
    summary: "delete variables",
    examples: [[".delete page token"]],
    complete: (typed) => variables(typed),
    run: (argument, { client, journal }) => {
      const names = argument.split(/\s+/).filter((name) => name !== "");
      const unknown = names.filter((name) => !client.hasVar(name));
      if (names.length === 0 || unknown.length > 0) {
        const what =
          names.length === 0
            ? "no name is given"
            : unknown.map((name) => noVariable(name, client)).join("; ");
        throw new CommandError(`Deleting variables failed: ${what}`);
      }
      for (const name of names) {
        client.deleteVar(name);
        journal.add(`client.deleteVar(${JSON.stringify(name)});`);
      }
    },
  },
];

function fail(reason: string): never {
  throw new CommandError(`Setting a variable failed: ${reason}`);
}

/** Asks for a value; the returned JSON string is exactly what was typed. */
async function askUnseen(name: string, { ask }: Shell): Promise<string> {
  const text = await ask({ name, description: `Value of ${name}`, secret: true });
  if (text === undefined || text === "") fail("no value was given");
  return JSON.stringify(text).replaceAll("{{", "{\\u007b");
}

async function setVariable(name: string, value: string, shell: Shell): Promise<void> {
  const line = lineOf(name, value);
  await runLine(line, shell.client);
  shell.journal.add(line);
}

async function setSecret(name: string, value: string, shell: Shell): Promise<void> {
  const { client, print } = shell;
  // `user.pin` sets a property of the variable `user`.
  const [variable = name] = name.split(".");
  const before = client.hasVar(variable) ? client.getVar(variable) : undefined;
  const wasSecret = client.origin(variable)?.secret ?? false;
  try {
    await runLine(lineOf(name, value), client);
    client.setVar(variable, client.getVar(variable), { secret: true });
  } catch (error) {
    if (before === undefined) client.deleteVar(variable);
    else client.setVar(variable, before, { secret: wasSecret });
    throw error instanceof TypeError ? new CommandError(error.message) : error;
  }
  print(`${variable} is masked in all output`);
}

const lineOf = (name: string, value: string): string =>
  `@${name} = ${value.replace(/\s*[\r\n]\s*/g, " ")}`;

/** Sets a variable by a variable line, so that the rules of such lines apply here too. */
async function runLine(line: string, client: Client): Promise<void> {
  const written = line.slice(line.indexOf("=") + 2);
  const problem = /^(?:[["]|\{(?!\{))/.test(written) ? jsonProblem(written, client) : undefined;
  if (problem !== undefined) {
    fail(`the value begins like JSON and is not JSON, ${problem}; write such a text in quotes`);
  }
  try {
    await client.sendAll(line);
  } catch (error) {
    // The person did not type this line, so the error must not quote it.
    const [fault] = error instanceof RequestSyntaxError ? error.faults : [];
    if (fault === undefined) throw error;
    fail(`${fault.message}. ${fault.hint ?? ""}`);
  }
}

/** Why a text with placeholders is not JSON. */
function jsonProblem(value: string, client: Client): string | undefined {
  const request = `POST http://localhost/\nContent-Type: application/json\n\n${value}`;
  const { warnings } = client.render(request, { missing: "keep" });
  const about = "The JSON body is not valid at line 1, ";
  return warnings.find((warning) => warning.startsWith(about))?.slice(about.length);
}

const variables = (typed: Typed): readonly Choice[] => choicesOf(typed.client.vars.keys(), typed);
const isOption = (word: string): boolean => word.startsWith("--");

async function showOne(name: string, shell: Shell): Promise<void> {
  const { client } = shell;
  if (!client.hasVar(name)) {
    throw new CommandError(`Showing variables failed: ${noVariable(name, client)}`);
  }
  if (isSecret(name, client)) return shell.print(`${name} is a secret: it is not shown`);
  const value = client.getVar<Value>(name) ?? null;
  if (typeof value === "string") await shell.pageText(value);
  else await shell.pageText(renderJson(value, 2), "json");
}

function noVariable(name: string, { vars }: Client): string {
  const near = nearNames(name, [...vars.keys()]);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : ".vars lists all";
  return `there is no variable "${name}", ${hint}`;
}

/** Whether the value of a variable must not be shown. */
export function isSecret(name: string, { origin, secrets }: Client): boolean {
  return origin(name)?.secret ?? secrets.isSecretName(name);
}

function rowOf(name: string, client: Client): readonly Cell[] {
  const value = client.getVar<Value>(name) ?? null;
  const { scheme } = client.origin(name) ?? {};
  // What a reference names is not looked at, not even its length.
  const { type, size } = scheme === undefined ? describe(value) : { type: scheme, size: "" };
  // Masked before it is cut: a part of a secret is not recognized.
  const whole = client.secrets.mask(typeof value === "string" ? value : renderJson(value));
  const text = shorten(whole, MAX_SHOWN);
  const shown: Cell = isSecret(name, client)
    ? { text: HIDDEN, type: "text" }
    : { text, type: CELL_TYPES[type] ?? "structure" };
  const origin = ORIGINS[client.origin(name)?.kind ?? "set"];
  return [
    ...[client.secrets.mask(name), type, size, origin].map(
      (cell): Cell => ({ text: cell, type: "text" }),
    ),
    shown,
  ];
}

const ORIGINS: Readonly<Record<Origin["kind"], string>> = {
  set: "set",
  line: "set",
  saved: "saved",
  environment: "environment",
  answer: "answer",
  typescript: "TypeScript",
};

const CELL_TYPES: Readonly<Record<string, Cell["type"]>> = {
  string: "string",
  number: "number",
  bigint: "number",
  boolean: "boolean",
  null: "null",
  date: "text",
};

function describe(value: Value): { readonly type: string; readonly size: string } {
  if (value === null) return { type: "null", size: "" };
  if (typeof value === "string") return { type: "string", size: count(value.length, "character") };
  if (typeof value !== "object") return { type: typeof value, size: "" };
  if (Array.isArray(value)) return { type: "array", size: count(value.length, "item") };
  if (value instanceof Date) return { type: "date", size: "" };
  if (isNumberText(value)) return { type: "number", size: "" };
  return { type: "object", size: count(Object.keys(value).length, "property", "properties") };
}

function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
