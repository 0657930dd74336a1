/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const ITEM = new RegExp(
  `(?:\\s*,)*\\s*(?:(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))|(${TOKEN})(?=\\s|,|$)(?:\\s+([\\w.~+/-]+=*)(?=\\s*(?:,|$)))?)`,
  "y",
);

/** Parses a `WWW-Authenticate` header with any number of challenges (RFC 9110, 11.6) and empty elements (5.6.1). */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  ITEM.lastIndex = 0;
  for (let item = ITEM.exec(header); item !== null; item = ITEM.exec(header)) {
    const [, name, quoted, plain, scheme] = item;
    if (scheme !== undefined) {
      challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    } else if (name !== undefined) {
      const value = quoted === undefined ? (plain ?? "") : quoted.replace(/\\(.)/g, "$1");
      challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
    }
  }
  return challenges;
}
