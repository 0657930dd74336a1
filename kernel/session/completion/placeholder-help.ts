import { inspect } from "node:util";
import { shorten } from "../../../lib/interpolation/mod.ts";
import type { Client, Secrets } from "../../../lib/mod.ts";
import type { Candidate, Completion, Inspection } from "../cell/mod.ts";
import { GENERATED } from "../words/mod.ts";
import { readAnswer } from "./answer-value.ts";

/** What placeholders may name. */
export type KnownNames = Pick<Client, "vars" | "responses" | "secrets">;

const HIDDEN = "•••";
const WORD = /^[\p{L}\p{N}_-]+$/u;

/**
 * Completions of the path that a placeholder begins with. A value without properties closes the placeholder.
 *
 * @param rest The text from the position on.
 */
export function completePlaceholder(
  client: KnownNames,
  path: string,
  position: number,
  rest: string,
): Completion {
  const end = /^[^\n{}]*\}\}/.test(rest) ? "" : "}}";
  if (/^\$\w*$/.test(path)) return completeGenerated(path, position, end);
  const [, base = "", typed = ""] = /^(.*\.\s*)?([\p{L}\p{N}_-]*)$/u.exec(path) ?? [];
  const candidates = (base === "" ? namesOf(client) : membersOf(client, base))
    .filter(({ text }) => text.startsWith(typed) && WORD.test(text))
    .map(({ value, ...candidate }) => ({
      ...candidate,
      text: isRecord(value) ? candidate.text : candidate.text + end,
      detail: shortView(value, client, base + candidate.text),
    }));
  return { start: position - typed.length, end: position, candidates };
}

/** The value of a placeholder, or what a generated one is. */
export function inspectPlaceholder(client: KnownNames, path: string): Inspection | undefined {
  const [name = ""] = /^\$\w+/.exec(path) ?? [];
  const about = Object.hasOwn(GENERATED, name) ? GENERATED[name] : undefined;
  if (about !== undefined) return { signature: `{{${name}}}`, documentation: about };
  const value = valueAt(client, path);
  if (value === undefined) return undefined;
  const documentation = maskedValue(client, path, value);
  return { signature: `{{${path}}}`, documentation, language: "text" };
}

function completeGenerated(typed: string, position: number, end: string): Completion {
  const candidates = Object.entries(GENERATED)
    .filter(([name]) => name.startsWith(typed))
    .map(([name, detail]) => {
      const takesMore = /\{\{|after a dot/.test(detail);
      return { text: takesMore ? name : name + end, kind: "generated", detail };
    });
  return { start: position - typed.length, end: position, candidates };
}

type Named = Candidate & { readonly value: unknown };

/** A variable goes before the answer of the same name. */
function namesOf({ vars, responses }: KnownNames): readonly Named[] {
  const answers = Object.entries(responses).filter(([name]) => !vars.has(name));
  return [
    ...Array.from(vars, ([text, value]) => ({ text, value, kind: "variable" })),
    ...answers.map(([text, { status, statusText }]) => ({
      text,
      value: new Answered(`${status} ${statusText}`.trim()),
      kind: "response",
    })),
  ];
}

/** The answer of a named request in a few words. */
class Answered {
  readonly words: string;

  constructor(words: string) {
    this.words = words;
  }

  [inspect.custom](): string {
    return this.words;
  }
}

function membersOf(client: KnownNames, base: string): readonly Named[] {
  const owner = valueAt(client, base.replace(/\.\s*$/, ""));
  if (!isRecord(owner)) return [];
  return Object.entries(owner).map(([text, value]) => ({ text, value, kind: "property" }));
}

/** The value of a path as a placeholder writes it: `name.property[0]["quoted key"]`. */
function valueAt({ vars, responses }: KnownNames, path: string): unknown {
  const [name, ...steps] = path.match(/[\p{L}\p{N}_-]+|"(?:[^"\\]|\\[\s\S]?)*"?/gu) ?? [];
  if (name === undefined) return undefined;
  const answer = Object.hasOwn(responses, name) ? responses[name] : undefined;
  let value: unknown = vars.get(name) ?? (answer && readAnswer(answer));
  for (const step of steps) {
    const key = step.startsWith('"') ? step.slice(1, -1) : step;
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Date);

function shortView(value: unknown, { secrets }: KnownNames, path: string): string {
  if (isSecretPath(secrets, path)) return HIDDEN;
  secrets.learn({ kind: "value", value }, "person");
  const text = secrets.mask(
    inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 10_000 }),
  );
  return shorten(text);
}

function maskedValue({ secrets }: KnownNames, path: string, value: unknown): string {
  if (isSecretPath(secrets, path)) return HIDDEN;
  secrets.learn({ kind: "value", value }, "person");
  return secrets.mask(inspect(value));
}

/** Values too short to be looked for are hidden by their names at least. */
function isSecretPath(secrets: Secrets, path: string): boolean {
  const last = /[\p{L}\p{N}_-]+(?=["\]]*$)/u.exec(path)?.[0];
  return last !== undefined && secrets.isSecretName(last);
}
