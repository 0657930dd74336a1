import { isStreamed } from "../bodies/mod.ts";
import type { Deadline } from "./deadline.ts";
import { explainFailure } from "./failure.ts";
import type { Hop } from "./hop.ts";
import type { DispatchFailure } from "./message.ts";

/** Methods whose repetition changes nothing more (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Whether a request met a kept connection that its server had closed meanwhile, and may go out once
 * more. Deno and Bun do so by themselves, and Node does not: while a cell computes, nobody there
 * notices that a server hangs up.
 *
 * @param answered The origins that have answered before: others have no kept connection, where the
 * failure does not say whether it was one.
 * @param isSecondTry Whether it went out once more already: of a connection that was kept for sure
 * there may be another one.
 */
export function isStaleConnection(
  hop: Hop,
  cause: unknown,
  answered: ReadonlySet<string>,
  deadline: Deadline,
  isSecondTry: boolean,
): boolean {
  const { reusedSocket } = Object(cause) as DispatchFailure;
  return (
    (reusedSocket ?? (answered.has(hop.url.origin) && !isSecondTry)) &&
    deadline.stop === undefined &&
    IDEMPOTENT.has(hop.method) &&
    !isStreamed(hop.body) &&
    explainFailure(cause).code === "reset"
  );
}
