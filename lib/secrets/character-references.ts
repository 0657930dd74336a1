const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * The character that a reference of HTML or XML stands for.
 *
 * @param name One of the five names that both have, in any case; else the number counts.
 * @returns Nothing for a number beyond all characters.
 */
export function readReference(
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
): string | undefined {
  if (name !== undefined) return NAMED[name.toLowerCase()];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
