const MOST = 20;

/** Remarks for a person, each of them once. */
export interface Remarks {
  add(text: string): void;
  /** Takes the remarks that were added since the last call. */
  take(): readonly string[];
}

/** Creates an empty list; remarks beyond a screenful are dropped. */
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
