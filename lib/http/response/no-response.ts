import type { Exchange, Redirect, SentRequest } from "../../exchange/mod.ts";
import {
  contentOf,
  learnAnswer,
  type NoResponseCode,
  NoResponseError,
} from "../../exchange/mod.ts";
import { combineSecrets, type Hidden, type Secrets } from "../../secrets/mod.ts";
import type { Hop } from "../request/mod.ts";
import type { RedirectReason, Stop } from "../transport/mod.ts";
import { explainFailure, type Failure } from "../transport/mod.ts";

/** Why a request ended without a whole response. */
export type Reason =
  | Stop
  | { readonly kind: "failed"; readonly cause: unknown }
  | { readonly kind: "cut-short"; readonly cause: unknown }
  | { readonly kind: "hook"; readonly cause: unknown }
  | RedirectReason;

/** What is known when a request ends without a whole response. */
export interface Ending {
  readonly request: SentRequest;
  /** The request that was on its way. */
  readonly hop: Hop;
  readonly redirects: readonly Redirect[];
  readonly reason: Reason;
  readonly partial: Exchange | undefined;
  /** What the message must not hold. */
  readonly secrets: readonly Hidden[];
}

/** Puts the end of a request into words. */
export function noResponse(ending: Ending): NoResponseError {
  const { request, hop, redirects, reason, partial } = ending;
  for (const secrets of ending.secrets) if (typeof secrets === "object") learn(ending, secrets);
  const { code, what, advice } = failureOf(ending);
  const steps = redirects.length === 1 ? "1 redirect" : `${redirects.length} redirects`;
  const way = redirects.length > 0 && code !== "too-many-redirects" ? ` (after ${steps})` : "";
  const got = partial ? "no whole response" : "no response";
  const state = `${hop.method} "${hop.url.href}"${way} got ${got}: ${what}`;
  const message = combineSecrets(ending.secrets).mask(advice ? `${state}. ${advice}` : state);
  return new NoResponseError(code, message, {
    request,
    redirects: redirects.slice(),
    cause: "cause" in reason ? reason.cause : "reason" in reason ? reason.reason : undefined,
    ...(partial ? { partial } : {}),
  });
}

/** What has come of an answer is shown with the failure, and where its redirects lead. */
function learn({ partial, redirects, reason }: Ending, secrets: Secrets): void {
  if (partial !== undefined) learnAnswer(partial, secrets);
  for (const { location } of redirects) secrets.learn({ kind: "url", url: location }, "server");
  if (reason.kind === "redirected")
    secrets.learn({ kind: "url", url: reason.redirect.location }, "server");
}

function failureOf({ reason, redirects, partial }: Ending): Failure {
  const came = partial ? ` after ${progress(partial)}` : "";
  switch (reason.kind) {
    case "timed-out":
      return {
        code: "timed-out",
        what: `timed out after ${seconds(reason.milliseconds)}${partial ? `, ${progress(partial)} in` : ""}`,
        advice: "Check that the server answers, or set a longer timeout",
      };
    case "aborted":
      return { code: "aborted", what: `it was aborted${came}${detail(reason.reason)}`, advice: "" };
    case "redirected":
      return failure(
        "redirected",
        `${reason.redirect.status} leads to "${reason.redirect.location}"`,
        'Redirects are errors here: set redirect to "follow" or "manual"',
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
        "Look at the hooks of the option ky",
      );
    case "cut-short":
      return brokenOff(explainFailure(reason.cause), came);
    case "failed":
      return explainFailure(reason.cause);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function brokenOff(known: Failure, came: string): Failure {
  if (known.code === "decompression" || known.code === "timed-out") {
    return { ...known, what: `${known.what}${came}` };
  }
  return failure(
    "cut-short",
    `the connection ended${came}`,
    "The error holds what came in its partial exchange",
  );
}

function failure(code: NoResponseCode, what: string, advice: string): Failure {
  return { code, what, advice };
}

function progress(exchange: Exchange): string {
  const { headers } = exchange;
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  const whole = length && /^\d+$/.test(length) ? ` of ${length}` : "";
  return `${contentOf(exchange).length}${whole} bytes of the body`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

/** The reason that a caller gave; the one that `abort()` makes up says nothing. */
function detail(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return ` (${reason})`;
  if (!(reason instanceof Error) || reason.name === "AbortError") return "";
  return ` (${reason.message})`;
}

function hopLine({ method, url, status, location }: Redirect): string {
  return `\n  ${method} ${url} → ${status} ${location}`;
}
