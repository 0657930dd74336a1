/** So many different lines are told apart; what comes beyond them is counted together. */
const DIFFERENT = 32;
const OTHERS = "";

/**
 * A log that others cannot fill: a line is written when it comes for the first time, and with its
 * count when it comes for the 10th, 100th, 1,000th.
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
