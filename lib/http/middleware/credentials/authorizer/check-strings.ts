/**
 * Checks the required strings of credentials.
 *
 * @throws {TypeError} One is missing or not a string.
 */
export function checkStrings<C extends { readonly type: string }>(
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
