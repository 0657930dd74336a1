import { isStreamed } from "../bodies/mod.ts";
import type { Deadline } from "./deadline.ts";
import { explainFailure } from "./failure.ts";
import type { Hop } from "./redirect.ts";

/** Methods whose repetition changes nothing more (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Whether a request met a kept connection that its server had closed meanwhile, and may go out once
 * more on a new one. Deno and Bun do so by themselves, and Node's fetch does not: while a cell
 * computes, nobody there notices that a server hangs up.
 *
 * @param answered The origins that have answered before: others have no kept connection.
 */
export function isStaleConnection(
  hop: Hop,
  cause: unknown,
  answered: ReadonlySet<string>,
  deadline: Deadline,
): boolean {
  return (
    answered.has(hop.url.origin) &&
    deadline.stop === undefined &&
    IDEMPOTENT.has(hop.method) &&
    !isStreamed(hop.body) &&
    explainFailure(cause).code === "reset"
  );
}
