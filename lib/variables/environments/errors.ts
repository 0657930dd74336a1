/** An environment was asked for that cannot be used: a name that no file has, a file that is broken. */
export class EnvironmentError extends Error {
  /** The name of the class. */
  override readonly name = "EnvironmentError";
}

/** Values are asked for when a request is sent, and there is nobody to ask. */
export class PromptError extends Error {
  /** The name of the class. */
  override readonly name = "PromptError";
  /** The names of all values that are needed. */
  readonly names: readonly string[];

  /**
   * Makes the message from the names.
   *
   * @param names The names of all values that are needed.
   * @param state Why they are not there; that nobody can be asked, where it is left out.
   */
  constructor(names: readonly string[], state = "nobody can be asked here") {
    const listed = names.map((name) => `"${name}"`).join(", ");
    const hint = "give them with setVar, or on the command line with --var NAME=VALUE";
    const note = names.includes("confirm") ? '; confirm=yes sends what a "# @note" asks about' : "";
    super(`Cannot send the request: it asks for ${listed}, and ${state}; ${hint}${note}`);
    this.names = names;
  }
}
