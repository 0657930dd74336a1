/** The HTTP contract: the same checks on Node, Deno and Bun. They assert with `node:assert`. */

import { curlChecks } from "../curl/curl-checks.ts";
import { handshakeChecks } from "../websocket/handshake-checks.ts";
import type { Check } from "./check.ts";
import { cookieChecks } from "./middleware/cookies/cookie-checks.ts";
import { credentialChecks } from "./middleware/credentials/credential-checks.ts";
import { grantChecks } from "./middleware/credentials/oauth2/grant-checks.ts";
import { tokenChecks } from "./middleware/token-checks.ts";
import { optionChecks } from "./option-checks.ts";
import { originBodyChecks } from "./origin-body-checks.ts";
import { originChecks } from "./origin-checks.ts";
import { bodyChecks } from "./request/body-checks.ts";
import { getBodyChecks } from "./request/get-body-checks.ts";
import { connectionChecks } from "./transport/connection-checks.ts";
import { decompressionChecks } from "./transport/decompression-checks.ts";
import { fetchChecks } from "./transport/fetch-checks.ts";
import { headChecks } from "./transport/head-checks.ts";
import { onceChecks } from "./transport/once-checks.ts";
import { retryChecks } from "./transport/retry-checks.ts";
import { tlsChecks } from "./transport/tls-checks.ts";

/** Every check, in the order in which they are run. */
export const httpContract: readonly Check[] = [
  ...bodyChecks,
  ...getBodyChecks,
  ...cookieChecks,
  ...headChecks,
  ...retryChecks,
  ...tlsChecks,
  ...optionChecks,
  ...credentialChecks,
  ...grantChecks,
  ...tokenChecks,
  ...originChecks,
  ...originBodyChecks,
  ...connectionChecks,
  ...decompressionChecks,
  ...fetchChecks,
  ...onceChecks,
  ...curlChecks,
  ...handshakeChecks,
];
