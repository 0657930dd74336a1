/** The HTTP contract: the same checks on Node, Deno and Bun. They assert with `node:assert`. */

import { curlChecks } from "../curl/curl-checks.ts";
import { handshakeChecks } from "../websocket/handshake-checks.ts";
import type { Check } from "./check.ts";
import { clientChecks } from "./client-checks.ts";
import { credentialChecks } from "./middleware/credentials/credential-checks.ts";
import { oauthChecks } from "./middleware/credentials/oauth-checks.ts";
import { originBodyChecks } from "./origin-body-checks.ts";
import { originChecks } from "./origin-checks.ts";
import { bodyChecks } from "./request/body-checks.ts";
import { connectionChecks } from "./transport/connection-checks.ts";

/** Every check, in the order in which they are run. */
export const httpContract: readonly Check[] = [
  ...bodyChecks,
  ...clientChecks,
  ...credentialChecks,
  ...oauthChecks,
  ...originChecks,
  ...originBodyChecks,
  ...connectionChecks,
  ...curlChecks,
  ...handshakeChecks,
];
