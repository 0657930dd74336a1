/**
 * Looks whether credentials hold the texts that they need.
 *
 * @throws {TypeError} One is missing.
 */
export function checkTexts<C extends { readonly type: string }>(
  credentials: C,
  names: readonly (keyof C & string)[],
): void {
  for (const name of names) {
    if (typeof credentials[name] === "string") continue;
    throw new TypeError(
      `Cannot use credentials of the type "${credentials.type}": their ${name} is ${typeof credentials[name]}, not a string`,
    );
  }
}
