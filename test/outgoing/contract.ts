/** What goes out and how, the same on Node, Deno and Bun; it asserts with `node:assert`. */

import { bodyChecks } from "./body-checks.ts";
import type { Check } from "./check.ts";
import { clientChecks } from "./client-checks.ts";
import { connectionChecks } from "./connection-checks.ts";
import { credentialChecks } from "./credential-checks.ts";
import { curlChecks } from "./curl-checks.ts";
import { oauthChecks } from "./oauth-checks.ts";
import { originBodyChecks } from "./origin-body-checks.ts";
import { originChecks } from "./origin-checks.ts";
import { socketChecks } from "./socket-checks.ts";

/** Every check, in the order in which they are run. */
export const outgoingContract: readonly Check[] = [
  ...bodyChecks,
  ...clientChecks,
  ...credentialChecks,
  ...oauthChecks,
  ...originChecks,
  ...originBodyChecks,
  ...connectionChecks,
  ...curlChecks,
  ...socketChecks,
];
