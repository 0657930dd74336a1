import type { Value } from "../interpolation/mod.ts";
import {
  type Entry,
  isDisabled,
  noteOf,
  type Prompt,
  promptsOf,
  type RenderedRequest,
  type RequestDraft,
} from "../request/mod.ts";
import { PromptError } from "./environments/mod.ts";
import type { ScopeOptions } from "./scope-options.ts";
import type { VariableStore } from "./variables.ts";

/** Finds the values that requests ask for. */
export interface Prompter {
  /**
   * Looks, before anything is sent, whether there is somebody to ask or a variable for everything.
   *
   * @returns The names of values that nobody could be asked for, and that no variable has; `confirm`
   *   where a request has a `# @note`.
   */
  unanswered(entries: readonly Entry[]): readonly string[];
  /**
   * Asks for what a request needs.
   *
   * @throws {PromptError} A question was not answered.
   */
  ask(draft: RequestDraft): Promise<ReadonlyMap<string, Value>>;
  /**
   * Asks whether a request with `# @note` is to be sent; where there is nobody to ask, the variable
   * `confirm` has to say so.
   *
   * @throws {PromptError} The answer was not yes.
   */
  confirm(draft: RequestDraft, request: Pick<RenderedRequest, "method" | "url">): Promise<void>;
}

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

  /** What a file says itself is no consent: the variable has to be set from outside of it. */
  function isConfirmed(): boolean {
    const { kind } = variables.origin(CONFIRM) ?? {};
    return kind === "set" && isYes(variables.values.get(CONFIRM));
  }

  return {
    unanswered(entries) {
      if (ask !== undefined || !entries.some(asksSomething)) return NONE;
      const assigned = new Set<string>();
      const needed = new Set<string>();
      for (const entry of entries) {
        if (entry.kind === "assignment") assigned.add(entry.name);
        else if (!isDisabled(entry)) {
          if (noteOf(entry) !== undefined && !isConfirmed()) needed.add(CONFIRM);
          for (const prompt of promptsOf(entry)) {
            const { name, defaultValue } = prompt;
            const isThere = assigned.has(name) || defaultValue !== undefined;
            if (!isThere && known(prompt) === undefined) needed.add(name);
          }
        }
      }
      return [...needed];
    },
    ask: (draft) => askAll(promptsOf(draft)),
    async confirm(draft, { method, url }) {
      const note = noteOf(draft);
      if (note === undefined) return;
      if (ask !== undefined) return await askYes(note || `Send ${method} ${url}?`, ask);
      if (isConfirmed()) return;
      throw new PromptError([CONFIRM]);
    },
  };
}

/** The variable that says yes to every `# @note`. */
const CONFIRM = "confirm";

function asksSomething(entry: Entry): boolean {
  return entry.kind === "request" && (promptsOf(entry).length > 0 || noteOf(entry) !== undefined);
}

function isYes(answer: Value | undefined): boolean {
  return answer === true || (typeof answer === "string" && /^\s*y(?:es)?\s*$/i.test(answer));
}

async function askYes(question: string, ask: NonNullable<ScopeOptions["ask"]>): Promise<void> {
  const description = `${question} (y/n)`;
  if (isYes(await ask({ name: CONFIRM, description, secret: false }))) return;
  throw new PromptError([CONFIRM], 'its "# @note" was not answered with yes');
}
