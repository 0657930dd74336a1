import type { GeneratedPlaceholder, Span } from "../../interpolation/mod.ts";
import type { RequestDraft } from "./draft.ts";
import { placeholdersOf } from "./templates.ts";

/** A value that somebody is asked for before a request is sent. */
export interface Prompt {
  /** The variable that the answer is put in, or what `{{$input …}}` asks for. */
  readonly name: string;
  /** What the question says; the name where nothing is written. */
  readonly description: string;
  /** Whether the answer is hidden while it is typed, and wherever it would be shown. */
  readonly secret: boolean;
  /** What is answered by giving no answer, from `$value: …`. */
  readonly defaultValue?: string;
  /** Whether the answer is kept for later requests. */
  readonly once: boolean;
  /** Where it is asked for. */
  readonly span: Span;
}

/** Names of values that are secret, whoever holds them: passwords, tokens, keys. */
const SECRET_NAME =
  /pass(?:w(?:or)?d|phrase|code)?$|secret|token|credential|api[_-]?key|private[_-]?key|^(?:otp|pin)$/i;

/** Whether a name is that of something secret, for values whose file or question does not say. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * The questions of a request: its annotations `# @prompt name description`, as in VS Code's REST
 * Client, and its placeholders `{{$input description}}`, `{{$prompt …}}` and `{{$password …}}`, as
 * in httpYac.
 *
 * @param draft The request.
 * @returns Each question once, in the order in which they are asked.
 */
export function promptsOf(draft: RequestDraft): readonly Prompt[] {
  const known = PROMPTS.get(draft);
  if (known !== undefined) return known;
  const prompts = findPrompts(draft);
  PROMPTS.set(draft, prompts);
  return prompts;
}

/** A text that is sent again and again is looked through once. */
const PROMPTS = new WeakMap<RequestDraft, readonly Prompt[]>();

function findPrompts(draft: RequestDraft): readonly Prompt[] {
  const prompts = new Map<string, Prompt>();
  for (const { key, value, span } of draft.annotations) {
    const [, name, description = ""] = /^(\S+)\s*(.*)$/.exec(value) ?? [];
    if (key !== "prompt" || name === undefined) continue;
    const secret = isSecretName(name);
    prompts.set(name, { name, description: description || name, secret, once: false, span });
  }
  for (const placeholder of placeholdersOf(draft)) {
    const prompt = placeholder.kind === "generated" ? toPrompt(placeholder) : undefined;
    if (prompt !== undefined && !prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
  }
  return [...prompts.values()];
}

const INLINE = /^\$(prompt|input|password)(-askonce)?$/;

/** What a placeholder such as `{{$input-askonce Your name $value: Ada}}` asks for. */
export function toPrompt(placeholder: GeneratedPlaceholder): Prompt | undefined {
  const [, type, once] = INLINE.exec(placeholder.name) ?? [];
  if (type === undefined) return undefined;
  const [, question = "", defaultValue] =
    /^([\s\S]*?)(?:\$value:\s*([\s\S]*))?$/.exec(placeholder.argument) ?? [];
  const name = question.trim() || type;
  return {
    name,
    description: name,
    secret: type === "password",
    ...(defaultValue === undefined ? {} : { defaultValue }),
    once: once !== undefined,
    span: placeholder.span,
  };
}
