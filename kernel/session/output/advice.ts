/** What to do about errors of the runtime that say only what happened, by their message. */
const ADVICE: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    // Node and Deno; Bun.
    /serialize a BigInt|cannot serialize BigInt/i,
    "Numbers beyond 2^53 are bigints, so that they keep their digits: use client.last.text for the text as " +
      'it came, or JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? Number(item) : item)) ' +
      "for rounded numbers",
  ],
];

/** A line that says what to do about an error, where there is one. */
export function adviceOn({ message }: Error): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(message))?.[1];
}
