/**
 * What a client does, the same on Node, Deno and Bun. The table is run in-process under Node and by
 * `client-fixture.ts` under the others; it asserts with `node:assert`, which all three have.
 */

import { arrivalChecks } from "./arrival-checks.ts";
import { bodyChecks } from "./body-checks.ts";
import type { Check } from "./check.ts";
import { downloadChecks } from "./download-checks.ts";
import { errorChecks } from "./error-checks.ts";
import { failureChecks } from "./failure-checks.ts";
import { headerChecks } from "./header-checks.ts";
import { kyChecks } from "./ky-checks.ts";
import { manyChecks } from "./many-checks.ts";
import { peerChecks } from "./peer-checks.ts";
import { redirectChecks } from "./redirect-checks.ts";
import { scopeChecks } from "./scope-checks.ts";
import { sendChecks } from "./send-checks.ts";
import { socketChecks } from "./socket-checks.ts";
import { streamChecks } from "./stream-checks.ts";

/** Every check of the client, in the order in which they are run. */
export const clientContract: readonly Check[] = [
  ...sendChecks,
  ...headerChecks,
  ...redirectChecks,
  ...kyChecks,
  ...bodyChecks,
  ...failureChecks,
  ...errorChecks,
  ...arrivalChecks,
  ...streamChecks,
  ...downloadChecks,
  ...manyChecks,
  ...socketChecks,
  ...scopeChecks,
  ...peerChecks,
];
