import { type GeneratedPlaceholder, isReachableName, type Span } from "../interpolation/mod.ts";
import { annotationKey } from "./annotations.ts";
import type { Entry } from "./draft.ts";
import { placeholdersOf } from "./templates.ts";

/** A value that the user is asked for before a request is sent. */
export interface Prompt {
  /** The variable that answers it. That of `{{$input The code}}` is `The_code`. */
  readonly name: string;
  /** The question; the name by default. */
  readonly description: string;
  /** Whether the answer is hidden while it is typed, and masked everywhere. */
  readonly secret: boolean;
  /** The answer to an empty input, from `$value: …`. */
  readonly defaultValue?: string;
  /** The possible answers, from `{{$pick … $value: a,b}}`. */
  readonly choices?: readonly string[];
  /** Whether the answer is kept for later requests. */
  readonly once: boolean;
  /** The span of the annotation or placeholder. */
  readonly span: Span;
}

const SECRET_NAME =
  /pass(?:w(?:or)?d|phrase|code)?$|secret|token|credential|api[_-]?key|private[_-]?key|^(?:otp|pin)$/i;

/** Whether a name suggests a secret value, for files and questions that do not say. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * The questions of a request or a variable line: annotations `# @prompt name description` as in VS Code REST Client
 * and `# @secret name description` as in kulala, and placeholders `{{$input description}}`, `{{$prompt …}}`,
 * `{{$password …}}` and `{{$pick …}}` as in httpYac.
 *
 * @returns Each question once, in the order to ask.
 */
export function promptsOf(entry: Entry): readonly Prompt[] {
  const prompts = new Map<string, Prompt>();
  for (const annotation of entry.kind === "request" ? entry.annotations : []) {
    const { value, span } = annotation;
    const key = annotationKey(annotation);
    const [, name, description = ""] = /^(\S+)\s*(.*)$/.exec(value) ?? [];
    if ((key !== "prompt" && key !== "secret") || name === undefined) continue;
    const secret = key === "secret" || isSecretName(name);
    prompts.set(name, { name, description: description || name, secret, once: false, span });
  }
  for (const placeholder of placeholdersOf(entry)) {
    const prompt = placeholder.kind === "generated" ? toPrompt(placeholder) : undefined;
    if (prompt !== undefined && !prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
  }
  return [...prompts.values()];
}

const INLINE = /^\$(prompt|input|password|pick)(-askonce)?$/;

/** The question of a placeholder such as `{{$input-askonce Your name $value: Ada}}`. */
export function toPrompt(placeholder: GeneratedPlaceholder): Prompt | undefined {
  const [, type, once] = INLINE.exec(placeholder.name) ?? [];
  if (type === undefined) return undefined;
  const [, question = "", defaultValue] =
    /^([\s\S]*?)(?:\$value:\s*([\s\S]*))?$/.exec(placeholder.argument) ?? [];
  const asked = question.trim() || type;
  const choices = type === "pick" ? readChoices(defaultValue ?? "") : undefined;
  return {
    name: toName(asked) ?? type,
    description: choices === undefined ? asked : `${asked} (${choices.join(", ")})`,
    secret: type === "password",
    ...(choices === undefined ? {} : { choices }),
    ...(defaultValue === undefined || type === "pick" ? {} : { defaultValue }),
    once: once !== undefined,
    span: placeholder.span,
  };
}

/** A name that `setVar` and `--var` accept, of a question in words. */
function toName(question: string): string | undefined {
  if (isReachableName(question)) return question;
  const name = question.replace(/[^\p{L}\p{M}\p{Nd}-]+/gu, "_").replace(/^_|_$/g, "");
  return [name, name && `_${name}`].find(isReachableName);
}

/** The choices of `a, b`; a single one would be the name of an array in httpYac. */
function readChoices(text: string): readonly string[] | undefined {
  const choices = text.split(",").map((choice) => choice.trim().replace(/^"(.*)"$/, "$1"));
  return choices.length > 1 ? choices : undefined;
}
