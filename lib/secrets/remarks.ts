const MOST = 20;

/** What a person has to know, each thing once. */
export interface Remarks {
  add(text: string): void;
  /** What was added since the last time. */
  take(): readonly string[];
}

/** Creates an empty list; what goes beyond a screen of remarks is dropped. */
export function createRemarks(): Remarks {
  const known = new Set<string>();
  let fresh: string[] = [];
  return {
    add: (text) => {
      if (known.has(text) || known.size >= MOST) return;
      known.add(text);
      fresh.push(text);
    },
    take: () => {
      const now = fresh;
      fresh = [];
      return now;
    },
  };
}
