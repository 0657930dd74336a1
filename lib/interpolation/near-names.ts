/** Bounds the time that a message takes when an object has very many keys. */
const CANDIDATE_LIMIT = 2000;

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
    if (Math.abs(candidate.length - name.length) > most) continue;
    const distance = boundedDistance(wanted, candidate.toLowerCase(), most);
    const isBetter = distance <= (found[limit - 1]?.distance ?? most);
    if (!isBetter) continue;
    found.push({ candidate, distance });
    found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
    found.splice(limit);
  }
  return found.map(({ candidate }) => candidate);
}

/** Where the characters of a name stand in it, one bit for each place; all zero but during a call. */
const PLACES = new Int32Array(65_536);
const MOST_PLACES = 31;

/**
 * The optimal string alignment distance, of all places of a name at once (Hyyrö, "A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances", 2003); any number above `allowed` means "too far".
 */
function boundedDistance(from: string, to: string, allowed: number): number {
  let start = 0;
  while (start < from.length && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  let end = from.length;
  let otherEnd = to.length;
  while (
    end > start &&
    otherEnd > start &&
    from.charCodeAt(end - 1) === to.charCodeAt(otherEnd - 1)
  ) {
    end--;
    otherEnd--;
  }
  const length = end - start;
  if (length === 0) return otherEnd - start;
  if (length > MOST_PLACES) return allowed + 1;
  for (let at = 0; at < length; at++) {
    const code = from.charCodeAt(start + at);
    PLACES[code] = (PLACES[code] as number) | (1 << at);
  }
  let distance = length;
  // Where the next row of the table is more, or less, and where the diagonal is equal; one bit for each row.
  let [more, less, equal, before] = [-1, 0, 0, 0];
  const last = 1 << (length - 1);
  for (let at = start; at < otherEnd; at++) {
    const places = PLACES[to.charCodeAt(at)] as number;
    const swapped = ((~equal & places) << 1) & before;
    equal = (((places & more) + more) ^ more) | places | less | swapped;
    const across = less | ~(equal | more);
    if ((across & last) !== 0) distance++;
    if ((equal & more & last) !== 0) distance--;
    const shifted = (across << 1) | 1;
    more = ((equal & more) << 1) | ~(equal | shifted);
    less = shifted & equal;
    before = places;
  }
  for (let at = start; at < end; at++) PLACES[from.charCodeAt(at)] = 0;
  return distance;
}
