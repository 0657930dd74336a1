/** Enough to choose from; a search in all keys of a huge object would only delay the message. */
const CANDIDATE_LIMIT = 2000;
const LENGTH_LIMIT = 64;

/**
 * Finds the known names that a mistyped one was probably meant to be.
 *
 * Names that differ in case alone come first, then those that a few insertions, deletions,
 * replacements or swaps of neighbours away (a third of the length, at least one).
 *
 * @param name The name that is not known.
 * @param candidates The names that are.
 * @param limit How many to return at most.
 * @returns The nearest names, best first; empty when none is near.
 */
export function nearNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const allowed = Math.max(1, Math.floor(name.length / 3));
  const found: { candidate: string; distance: number }[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > CANDIDATE_LIMIT) break;
    const distance = boundedDistance(wanted, candidate.toLowerCase(), allowed);
    if (distance <= allowed) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, limit).map(({ candidate }) => candidate);
}

/** Optimal string alignment (Damerau and Levenshtein); any number above `allowed` means "too far". */
function boundedDistance(from: string, to: string, allowed: number): number {
  if (from === to) return 0;
  if (Math.abs(from.length - to.length) > allowed) return allowed + 1;
  if (from.length > LENGTH_LIMIT || to.length > LENGTH_LIMIT) return allowed + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1]
      ) {
        best = Math.min(best, at(beforeLast, column - 2) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
