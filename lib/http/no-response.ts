import {
  contentOf,
  type Exchange,
  learnAnswer,
  messageOf,
  type NoResponseCode,
  NoResponseError,
  type Redirect,
  type SentRequest,
} from "../exchange/mod.ts";
import { combineSecrets, type Hidden, type Secrets } from "../secrets/mod.ts";
import type { Hop } from "./attempt.ts";
import type { Stop } from "./deadline.ts";
import { explainFailure, type Failure } from "./failure.ts";
import { lengthOf } from "./read-body.ts";
import { abortDetail } from "./receive-body.ts";
import type { RedirectReason } from "./redirects.ts";

/** Why a request ended without a complete response. */
export type Reason =
  | Stop
  | { readonly kind: "failed"; readonly cause: unknown }
  | { readonly kind: "cut-short"; readonly cause: unknown }
  | { readonly kind: "hook"; readonly cause: unknown }
  | RedirectReason;

/** A request that ended without a complete response. */
interface FailedRequest {
  readonly request: SentRequest;
  /** The hop that failed. */
  readonly hop: Hop;
  readonly redirects: readonly Redirect[];
  readonly reason: Reason;
  readonly partial: Exchange | undefined;
  /** Masked in the message. */
  readonly secrets: readonly Hidden[];
}

/** Creates the error of a request without a complete response. */
export function noResponse(failed: FailedRequest): NoResponseError {
  const { request, hop, redirects, reason, partial } = failed;
  for (const secrets of failed.secrets) if (typeof secrets === "object") learn(failed, secrets);
  const { code, what, advice } = failureOf(failed);
  const count = redirects.length === 1 ? "1 redirect" : `${redirects.length} redirects`;
  const via = redirects.length > 0 && code !== "too-many-redirects" ? ` (after ${count})` : "";
  const got = partial ? "no complete response" : "no response";
  const summary = `${hop.method} "${hop.url.href}"${via} got ${got}: ${what}`;
  const secrets = combineSecrets(failed.secrets);
  const message = secrets.mask(advice ? `${summary}. ${advice}` : summary);
  return new NoResponseError(code, message, {
    request,
    redirects: redirects.slice(),
    reason: secrets.mask(what),
    cause: "cause" in reason ? reason.cause : "reason" in reason ? reason.reason : undefined,
    ...(partial ? { partial } : {}),
  });
}

/** The error shows the partial response and the targets of redirects. */
function learn({ partial, redirects, reason }: FailedRequest, secrets: Secrets): void {
  if (partial !== undefined) learnAnswer(partial, secrets);
  for (const { location } of redirects) secrets.learn({ kind: "url", url: location }, "server");
  if (reason.kind === "redirected")
    secrets.learn({ kind: "url", url: reason.redirect.location }, "server");
}

function failureOf({ reason, redirects, partial }: FailedRequest): Failure {
  const received = partial ? ` after ${progress(partial)}` : "";
  switch (reason.kind) {
    case "timed-out":
      return {
        code: "timed-out",
        what: `timed out after ${seconds(reason.milliseconds)}${partial ? `, ${progress(partial)} in` : ""}`,
        advice: "Check that the server responds, or set a longer timeout",
      };
    case "aborted":
      return {
        code: "aborted",
        what: `it was aborted${received}${abortDetail(reason.reason)}`,
        advice: "",
      };
    case "redirected":
      return failure(
        "redirected",
        `${reason.redirect.status} redirects to "${reason.redirect.location}"`,
        'With redirect "error" a redirect is an error: use "follow" or "manual"',
      );
    case "too-many-redirects":
      return failure(
        "too-many-redirects",
        `too many redirects (more than ${redirects.length - 1}):${redirects.map(hopLine).join("")}`,
        "",
      );
    case "hook":
      return failure(
        "hook",
        `a function among the ky options failed, ${messageOf(reason.cause)}`,
        "Check the hooks of the option ky",
      );
    case "cut-short":
      return cutShort(explainFailure(reason.cause), received);
    case "failed":
      return explainFailure(reason.cause);
  }
}

function cutShort(known: Failure, received: string): Failure {
  if (known.code === "decompression" || known.code === "timed-out") {
    return { ...known, what: `${known.what}${received}` };
  }
  return failure(
    "cut-short",
    `the connection ended${received}`,
    "The property partial of the error has what was received",
  );
}

function failure(code: NoResponseCode, what: string, advice: string): Failure {
  return { code, what, advice };
}

function progress(exchange: Exchange): string {
  const length = lengthOf(exchange);
  const whole = length === undefined ? "" : ` of ${length}`;
  return `${contentOf(exchange).length}${whole} bytes of the body`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

function hopLine({ method, url, status, location }: Redirect): string {
  return `\n  ${method} ${url} → ${status} ${location}`;
}
