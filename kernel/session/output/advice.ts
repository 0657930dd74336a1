/** Advice on errors of the runtime, by their message. */
const ADVICE: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    // The messages of Node and Deno, and of Bun.
    /serialize a BigInt|cannot serialize BigInt/i,
    "Numbers beyond 2^53 are bigints, so that they keep their digits: use exchange.text for the text as it " +
      'came, or JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? Number(item) : item)) ' +
      "for rounded numbers",
  ],
];

/** What to do about an error, if there is advice on it. */
export function adviceOn({ message }: Error): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(message))?.[1];
}
