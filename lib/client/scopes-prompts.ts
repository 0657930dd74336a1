import type { Value } from "../interpolation/mod.ts";
import {
  type Entry,
  noteOf,
  type Prompt,
  promptsOf,
  type RenderedRequest,
  type RequestDraft,
} from "../request/mod.ts";
import { PromptError } from "./environment-errors.ts";
import type { ScopeOptions } from "./scopes-options.ts";
import type { VariableStore } from "./variables.ts";

/** Finds the values that requests ask for. */
export interface Prompter {
  /**
   * Looks, before anything is sent, whether there is somebody to ask or a variable for everything.
   *
   * @returns The names of values that nobody could be asked for, and that no variable has.
   */
  unanswered(entries: readonly Entry[]): readonly string[];
  /**
   * Asks for what a request needs; no promise where it needs nothing.
   *
   * @throws {PromptError} A question was not answered.
   */
  ask(draft: RequestDraft): ReadonlyMap<string, Value> | Promise<ReadonlyMap<string, Value>>;
  /**
   * Asks whether a request with `# @note` is to be sent, where there is somebody to ask; nothing
   * where there is nothing to wait for.
   *
   * @throws {PromptError} The answer was not yes.
   */
  confirm(
    draft: RequestDraft,
    request: Pick<RenderedRequest, "method" | "url">,
  ): Promise<void> | undefined;
}

const NO_ANSWERS: ReadonlyMap<string, Value> = new Map();
const NONE: readonly string[] = [];

/**
 * Creates what asks. A variable that was set by `setVar` or `--var` is an answer already; any other
 * is overridden, as with VS Code's REST Client. Answers are for one request and are not kept, unless
 * it is `-askonce` that asks.
 */
export function createPrompter({ ask }: ScopeOptions, variables: VariableStore): Prompter {
  const kept = new Map<string, string>();

  function known({ name }: Prompt): Value | undefined {
    const kind = variables.origin(name)?.kind;
    const isGiven = kind === "set" || kind === "saved" || (ask === undefined && kind !== undefined);
    return (isGiven ? variables.values.get(name) : undefined) ?? kept.get(name);
  }

  async function answer(prompt: Prompt): Promise<Value> {
    const found = known(prompt);
    if (found !== undefined) return found;
    const { name, description, secret, defaultValue, once } = prompt;
    const question = { name, description, secret };
    const given = await ask?.(
      defaultValue === undefined ? question : { ...question, defaultValue },
    );
    const value = given === undefined || given === "" ? (defaultValue ?? given) : given;
    if (value === undefined) throw new PromptError([name], "the question was not answered");
    if (secret) variables.hide(value);
    if (once) kept.set(name, value);
    return value;
  }

  async function askAll(prompts: readonly Prompt[]): Promise<ReadonlyMap<string, Value>> {
    const answers = new Map<string, Value>();
    for (const prompt of prompts) answers.set(prompt.name, await answer(prompt));
    return answers;
  }

  return {
    unanswered(entries) {
      if (ask !== undefined || !entries.some(hasPrompts)) return NONE;
      const assigned = new Set<string>();
      const needed = new Set<string>();
      for (const entry of entries) {
        if (entry.kind === "assignment") assigned.add(entry.name);
        else {
          for (const prompt of promptsOf(entry)) {
            const { name, defaultValue } = prompt;
            const isThere = assigned.has(name) || defaultValue !== undefined;
            if (!isThere && known(prompt) === undefined) needed.add(name);
          }
        }
      }
      return [...needed];
    },
    ask(draft) {
      const prompts = promptsOf(draft);
      return prompts.length === 0 ? NO_ANSWERS : askAll(prompts);
    },
    confirm(draft, { method, url }) {
      const note = noteOf(draft);
      if (note === undefined || ask === undefined) return undefined;
      return askYes(note === "" ? `Send ${method} ${url}?` : note, ask);
    },
  };
}

function hasPrompts(entry: Entry): boolean {
  return entry.kind === "request" && promptsOf(entry).length > 0;
}

async function askYes(question: string, ask: NonNullable<ScopeOptions["ask"]>): Promise<void> {
  const description = `${question} (y/n)`;
  const given = await ask({ name: "confirm", description, secret: false });
  if (/^\s*y(?:es)?\s*$/i.test(given ?? "")) return;
  throw new PromptError(["confirm"], 'its "# @note" was not answered with yes');
}
