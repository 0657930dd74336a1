/** Declarations of what {@link createQuestions} creates. */
export const QUESTION_TYPES = `
  /** Asks for a line of text and waits for it. */
  function prompt(message?: string, defaultValue?: string): string | null;
  namespace prompt {
    /** Asks for a line of text that is hidden while it is typed. */
    function password(message?: string): string;
  }
  /** Asks a question that is answered with y or n. */
  function confirm(message?: string): boolean;
`;

/** The questions that cells can ask where a person answers. */
export interface Questions {
  readonly [name: string]: unknown;
  readonly prompt: {
    (message?: unknown, defaultValue?: unknown): string;
    password(message?: unknown): string;
  };
  readonly confirm: (message?: unknown) => boolean;
}

/**
 * Creates `prompt` and `confirm`.
 *
 * @param ask Shows a text and waits for a line; it throws if there is none. The action is the function's name.
 */
export function createQuestions(
  ask: (action: string, message: string, isHidden: boolean) => string,
): Questions {
  const prompt = (message: unknown = "", defaultValue: unknown = ""): string => {
    const [text, otherwise] = [String(message), String(defaultValue)];
    const shown = otherwise === "" ? text : `${text.trimEnd()} [${otherwise}] `.trimStart();
    return ask("prompt", shown, false) || otherwise;
  };
  const password = (message: unknown = "Password"): string => ask("prompt", String(message), true);
  return {
    prompt: Object.assign(prompt, { password }),
    confirm: (message: unknown = ""): boolean =>
      /^y/i.test(ask("confirm", `${String(message)} [y/N] `, false).trim()),
  };
}
