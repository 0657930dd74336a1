/** Says in one line that a result could not be shown, and why. */
export function unshown(error: unknown): string {
  const [reason] = String(error instanceof Error ? error.message : error).split("\n", 1);
  return `The result could not be shown: ${reason}`;
}
