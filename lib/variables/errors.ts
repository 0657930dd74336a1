/** An environment or a file of variables cannot be used: it does not exist, or it is broken. */
export class EnvironmentError extends Error {
  /** Always the name of the class. */
  override readonly name = "EnvironmentError";
}

/** A secret that a variable names by a reference cannot be fetched. Nothing was sent. */
export class SecretError extends Error {
  /** Always the name of the class. */
  override readonly name = "SecretError";
  /** What to do about it, where the message does not say it. */
  declare readonly hint?: string | undefined;

  /** Creates the error. */
  constructor(
    message: string,
    { hint, ...options }: ErrorOptions & { readonly hint?: string | undefined } = {},
  ) {
    super(message, options);
    if (hint !== undefined) this.hint = hint;
  }
}

/** A request prompts for values, and nobody can be asked. */
export class PromptError extends Error {
  /** Always the name of the class. */
  override readonly name = "PromptError";
  /** The names of all missing values. */
  readonly names: readonly string[];

  /**
   * Creates the error; its message lists the names.
   *
   * @param names The names of all missing values.
   * @param state Why they are missing; by default, because nobody can be asked.
   */
  constructor(names: readonly string[], state = "nobody can be asked here") {
    const listed = names.map((name) => `"${name}"`).join(", ");
    const hint = "set them with setVar, or on the command line with --var NAME=VALUE";
    const note = names.includes("confirm") ? '; confirm=yes sends what a "# @note" asks about' : "";
    super(`Cannot send the request: it asks for ${listed}, and ${state}; ${hint}${note}`);
    this.names = names;
  }
}
