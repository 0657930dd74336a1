import { comparableUrl, createUrlMatcher } from "../har/mod.ts";
import type { PlacedSummary } from "./response-summary.ts";

/** What was promised, and the responses that it was promised for. */
export interface Pairs {
  /** By response. */
  readonly promised: ReadonlyMap<PlacedSummary, PlacedSummary>;
  /** What was promised and not answered, in order. */
  readonly unanswered: readonly PlacedSummary[];
}

/** A summary, with its URL prepared for many comparisons. */
interface Prepared {
  readonly placed: PlacedSummary;
  readonly url: string;
  readonly isUrl: (comparable: string) => boolean;
}

type Likeness = (promised: Prepared, found: Prepared) => boolean;

const sameMethod: Likeness = ({ placed: one }, { placed: other }) =>
  one.summary.method === other.summary.method;
const sameCell: Likeness = ({ placed: one }, { placed: other }) =>
  one.cell !== undefined && one.cell === other.cell;
const sameRequest: Likeness = (one, other) => sameMethod(one, other) && one.isUrl(other.url);

/**
 * From the strongest sign to the weakest. The request goes before the index, so that a new request in a cell does
 * not move those below it; the index goes before the name, since a URL may contain what differs in each run.
 */
const LIKENESSES: readonly Likeness[] = [
  (one, other) => sameCell(one, other) && sameRequest(one, other),
  (one, other) =>
    sameCell(one, other) && one.placed.index === other.placed.index && sameMethod(one, other),
  ({ placed: one }, { placed: other }) =>
    one.summary.name !== undefined && one.summary.name === other.summary.name,
  sameRequest,
];

/** Finds out which response was promised by what. Each promise is for one response, in order. */
export function pairResponses(
  promised: readonly PlacedSummary[],
  found: readonly PlacedSummary[],
): Pairs {
  const pairs = new Map<PlacedSummary, PlacedSummary>();
  const open = new Set(promised.map(prepare));
  const responses = found.map(prepare);
  for (const isLike of LIKENESSES) {
    for (const response of responses) {
      if (pairs.has(response.placed)) continue;
      for (const one of open) {
        if (!isLike(one, response)) continue;
        pairs.set(response.placed, one.placed);
        open.delete(one);
        break;
      }
    }
  }
  return { promised: pairs, unanswered: [...open].map(({ placed }) => placed) };
}

function prepare(placed: PlacedSummary): Prepared {
  const { url } = placed.summary;
  return { placed, url: comparableUrl(url), isUrl: createUrlMatcher(url) };
}
