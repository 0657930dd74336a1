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
import { PromptError } from "./errors.ts";
import type { ScopeOptions } from "./scope.ts";
import type { VariableStore } from "./variables.ts";

/** Gets the values that requests prompt for. */
export interface Prompter {
  /**
   * Checks, before anything is sent, that every prompt can be answered.
   *
   * @returns The names of values that no variable has while nobody can be asked; `confirm` for a
   *   request with a `# @note`.
   */
  unanswered(entries: readonly Entry[]): readonly string[];
  /**
   * Asks for the values that a request or a variable line needs; `undefined` if it needs none.
   *
   * @throws {PromptError} A prompt was not answered.
   */
  ask(entry: Entry): Promise<ReadonlyMap<string, Value>> | undefined;
  /**
   * Asks whether to send a request with `# @note`. If nobody can be asked, the variable `confirm`
   * decides. `undefined` without a note.
   *
   * @throws {PromptError} The answer was not yes.
   */
  confirm(
    draft: RequestDraft,
    request: Pick<RenderedRequest, "method" | "url">,
  ): Promise<void> | undefined;
}

/**
 * Creates a prompter. A variable that was set by `setVar` or `--var` answers a prompt; any other is
 * overridden, as in VS Code's REST Client. An answer is used for one request, unless the prompt is
 * `-askonce`.
 */
export function createPrompter({ ask }: ScopeOptions, variables: VariableStore): Prompter {
  const kept = new Map<string, string>();

  function known({ name }: Prompt): Value | undefined {
    const kind = variables.origin(name)?.kind;
    const isGiven = kind === "set" || kind === "saved" || (ask === undefined && kind !== undefined);
    const value = isGiven ? variables.lookUp(name) : undefined;
    return value === undefined ? kept.get(name) : value;
  }

  async function answer(prompt: Prompt): Promise<Value> {
    const found = known(prompt);
    if (found !== undefined) return checkChoice(prompt, found);
    const { name, description, secret, defaultValue, once } = prompt;
    const question = { name, description, secret };
    const given = await ask?.(
      defaultValue === undefined ? question : { ...question, defaultValue },
    );
    const value = given === undefined || given === "" ? (defaultValue ?? given) : given;
    if (value === undefined) throw new PromptError([name], "the question was not answered");
    checkChoice(prompt, value);
    if (secret) variables.hide(value);
    if (once) kept.set(name, value);
    return value;
  }

  async function answerAll(prompts: readonly Prompt[]): Promise<ReadonlyMap<string, Value>> {
    const answers = new Map<string, Value>();
    for (const prompt of prompts) answers.set(prompt.name, await answer(prompt));
    return answers;
  }

  /** A file must not confirm its own requests: only a variable set from outside counts. */
  function isConfirmed(): boolean {
    const { kind } = variables.origin(CONFIRM) ?? {};
    return kind === "set" && isYes(variables.lookUp(CONFIRM));
  }

  return {
    unanswered(entries) {
      if (ask !== undefined) return [];
      const assigned = new Set<string>();
      const needed = new Set<string>();
      for (const entry of entries) {
        const isRequest = entry.kind === "request";
        if (isRequest && isDisabled(entry)) continue;
        if (isRequest && noteOf(entry) !== undefined && !isConfirmed()) needed.add(CONFIRM);
        for (const prompt of promptsOf(entry)) {
          const { name, defaultValue } = prompt;
          const isAnswered = assigned.has(name) || defaultValue !== undefined;
          if (!isAnswered && known(prompt) === undefined) needed.add(name);
        }
        if (entry.kind === "assignment") assigned.add(entry.name);
      }
      return [...needed];
    },
    ask(entry) {
      const prompts = promptsOf(entry);
      return prompts.length === 0 ? undefined : answerAll(prompts);
    },
    confirm(draft, { method, url }) {
      const note = noteOf(draft);
      if (note === undefined) return undefined;
      if (ask !== undefined) return askYes(note || `Send ${method} ${url}?`, ask);
      if (isConfirmed()) return undefined;
      throw new PromptError([CONFIRM]);
    },
  };
}

/** @throws {PromptError} The prompt has a list of choices, and this is none of them. */
function checkChoice({ name, choices }: Prompt, answer: Value): Value {
  if (choices === undefined || choices.includes(String(answer))) return answer;
  const listed = choices.map((choice) => JSON.stringify(choice)).join(", ");
  throw new PromptError([name], `${JSON.stringify(String(answer))} is not one of ${listed}`);
}

/** The variable that confirms every `# @note`. */
const CONFIRM = "confirm";

function isYes(answer: Value | undefined): boolean {
  return answer === true || (typeof answer === "string" && /^\s*y(?:es)?\s*$/i.test(answer));
}

async function askYes(question: string, ask: NonNullable<ScopeOptions["ask"]>): Promise<void> {
  const description = `${question.replace(/(?<![?!.])$/, "?")} (y/n)`;
  if (isYes(await ask({ name: CONFIRM, description, secret: false }))) return;
  throw new PromptError([CONFIRM], 'its "# @note" was not answered with yes');
}
