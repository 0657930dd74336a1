/** How many different lines are counted on their own; all others are counted together. */
const DIFFERENT = 32;
const OTHERS = "";

/**
 * Creates a log that peers cannot flood: a line is written the first time, and with its count the
 * 10th, 100th and 1,000th time.
 */
export function createCountingLog(log: (line: string) => void): (line: string) => void {
  const counts = new Map<string, number>();
  return (line) => {
    const kind = counts.has(line) || counts.size < DIFFERENT ? line : OTHERS;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (!/^10*$/.test(String(count))) return;
    const what = kind === OTHERS ? "lines of other kinds" : "times";
    log(count === 1 ? line : `${line} (${count} ${what} so far)`);
  };
}
