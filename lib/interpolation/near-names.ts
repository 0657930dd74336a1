/** Bounds the time that a message takes when an object has very many keys. */
const CANDIDATE_LIMIT = 2000;
const LENGTH_LIMIT = 64;

/**
 * Finds the known names that are similar to a mistyped one.
 *
 * Names that differ only in case come first, then those within a few insertions, deletions,
 * replacements or transpositions.
 *
 * @param name The unknown name.
 * @param candidates The known names.
 * @param limit The maximum number of names to return.
 * @param most The maximum number of such changes; by default a third of the length, at least one.
 * @returns The most similar names, best first.
 */
export function nearNames(
  name: string,
  candidates: Iterable<string>,
  limit = 3,
  most: number = Math.max(1, Math.floor(name.length / 3)),
): string[] {
  const wanted = name.toLowerCase();
  const found: { candidate: string; distance: number }[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > CANDIDATE_LIMIT) break;
    const distance = boundedDistance(wanted, candidate.toLowerCase(), most);
    if (distance <= most) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, limit).map(({ candidate }) => candidate);
}

/** The optimal string alignment distance; any number above `allowed` means "too far". */
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
