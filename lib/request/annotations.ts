import { nearNames, shorten } from "../interpolation/mod.ts";
import { readVerifyRule, type VerifyRule, verifyRuleFault } from "../json/mod.ts";
import type { Annotation, RequestDraft } from "./draft.ts";

/** Annotations that have an effect. */
const SUPPORTED: readonly string[] = [
  "name",
  "tag",
  "import",
  "ref",
  "forceRef",
  "loop",
  "prompt",
  "secret",
  "note",
  "disabled",
  "no-redirect",
  "max-redirects",
  "cross-origin-body",
  "no-cookie-jar",
  "cookie-file",
  "cookie-jar",
  "no-reject-unauthorized",
  "proxy",
  "no-proxy",
  "connection",
  "timeout",
  "charset",
  "retry",
  "compress",
  "inject-variables",
  "verify",
  "ignore",
];

/** Annotations of other clients about their windows, logs and editors, which change no request. */
const IGNORED: ReadonlySet<string> = keysOf(
  "title description no-log no-streaming-log no-response-view debug verbose language lang extension " +
    "open-with jwt response-ref accept kulala-vscode-restclient-compat",
);

// `client.last` changes with the next request, so the hints use the name of the request.
const RESPONSE = "client.responses.NAME";

/** Annotations of other clients that would change what is sent, or what is done with the response. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  sleep: "The request is sent without waiting; wait in a TypeScript cell before it",
  delay: "The request is sent without waiting; wait in a TypeScript cell before it",
  "pre-delay": "The request is sent without waiting; wait in a TypeScript cell before it",
  "post-delay": "The next request is sent without waiting; wait in a TypeScript cell before it",
  "rate-limit":
    'Requests are sent without waiting; send them with client.all and its option "rate"',
  "connection-timeout": 'Write "# @timeout", which includes the time to connect',
  "keep-streaming": "A stream is read until it ends; read it with client.stream",
  save: 'Write a line ">> path" after the request',
  "use-os-credentials": "Write an Authorization header",
  "no-client-cert": 'Set client certificates with "# @connection" at the requests that need them',
  "no-auto-encoding": "The URL is sent as URL parsers write it",
  "post-redirect-get": "Redirects are followed as fetch does",
  jq: `The whole body is shown; in a TypeScript cell, select from ${RESPONSE}.json`,
  "kulala-jq": `The whole body is shown; in a TypeScript cell, select from ${RESPONSE}.json`,
  "kulala-prompt": 'Write "# @prompt name question"',
  "kulala-expect-status-code": 'Write a line "?? status == 200" below the request',
  "env-json-key": "Write @name = {{request.response.body.path}} after a request with that name",
  "env-stdin-cmd": "No command is run; set the variable in a TypeScript cell",
  "env-stdin-cmd-pre": "No command is run; set the variable in a TypeScript cell",
  "stdin-cmd": `No command is run; in a TypeScript cell, read ${RESPONSE}`,
  "stdin-cmd-pre": "No command is run; set variables in a TypeScript cell",
  if: "The request is sent in any case; write the condition in a TypeScript cell",
  "if-not": "The request is sent in any case; write the condition in a TypeScript cell",
  "skip-if": "The request is sent in any case; write the condition in a TypeScript cell",
  "depends-on": 'Write "# @ref name"',
  auth: "Write an Authorization header",
  capture: "Write {{name.response.body.path}}, with the name of the request",
  global: "Write @name = value",
  graphql: 'Write "GRAPHQL" in place of the method',
  setting: 'Write "# @timeout", "# @no-redirect" or "# @connection"',
};

/** The same by the beginnings of keys. */
const UNSUPPORTED_PREFIXES: Readonly<Record<string, string>> = {
  "curl-": 'Options of curl are not used; write "# @connection", "# @timeout" or "# @no-redirect"',
  "kulala-curl-":
    'Options of curl are not used; write "# @connection", "# @timeout" or "# @no-redirect"',
  "grpc-": "Requests over GRPC are not supported",
};

const SUPPORTED_KEYS = keysOf(SUPPORTED.join(" "));

const UNSUPPORTED_BY_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries(UNSUPPORTED).map(([key, hint]) => [annotationKey({ key }), hint]),
);

function keysOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").map((key) => annotationKey({ key })));
}

/** A key as it is compared: `# @noCookieJar` of httpYac is `# @no-cookie-jar`. */
export function annotationKey({ key }: Pick<Annotation, "key">): string {
  return key.toLowerCase().replaceAll("-", "");
}

/** The last annotation with a key, which is written as {@link annotationKey} returns it. */
export function findAnnotation(
  annotations: readonly Annotation[],
  key: string,
): Annotation | undefined {
  return annotations.findLast((one) => annotationKey(one) === key);
}

/** The fault of an annotation that prevents sending. */
export function refusedAnnotation(
  annotation: Annotation,
): { readonly message: string; readonly hint: string } | undefined {
  const { value } = annotation;
  const key = annotationKey(annotation);
  if (key === "retry" && !RETRY.test(value)) {
    return {
      message: `"# @retry ${shorten(value)}" cannot be read`,
      hint: 'Write "# @retry 3" for failed connections and busy servers, or "# @retry 10 every 2s" until the assertions hold',
    };
  }
  if (key !== "disabled") return verifyRuleFault(key, value);
  if (/^(?:true|false)?$/.test(value)) return undefined;
  return {
    message: `The condition "${shorten(value)}" of "# @disabled" is not supported`,
    hint: `Write true or false, or remove it and decide in a TypeScript cell: if (!(${shorten(value)})) await client.send("# @forceRef NAME")`,
  };
}

/** Whether a request is disabled by `# @disabled`, as in httpYac. */
export function isDisabled({ annotations }: RequestDraft): boolean {
  return annotations.some((one) => annotationKey(one) === "disabled" && one.value !== "false");
}

const RETRY = /^(?:(\d{1,6})(?:\s+every\s+(\d{1,6}(?:\.\d{1,6})?)\s*(ms|s|m)?)?)?$/i;

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** How a request is sent again until its assertions hold. */
export interface Polling {
  /** How many more times it is sent, at most. */
  readonly retries: number;
  /** Milliseconds between a response and the next request. */
  readonly interval: number;
}

/** What `# @retry 10 every 2s` says; `undefined` for `# @retry 10`, which is about connections and statuses. */
export function pollingOf({ annotations }: Pick<RequestDraft, "annotations">): Polling | undefined {
  const value = findAnnotation(annotations, "retry")?.value ?? "";
  const [, retries, interval, unit = "s"] = RETRY.exec(value) ?? [];
  if (interval === undefined) return undefined;
  const milliseconds = Number(interval) * (MILLISECONDS[unit.toLowerCase()] ?? 1000);
  // setTimeout fires at once beyond 31 bits.
  return { retries: Number(retries), interval: Math.min(milliseconds, 2 ** 31 - 1) };
}

/** What `restlab verify` compares: `# @verify exact`, `# @ignore $.path`. */
export function verifyRuleOf({ annotations }: RequestDraft): VerifyRule | undefined {
  return readVerifyRule(annotations.map((one) => [annotationKey(one), one.value]));
}

/** The question to confirm before a request is sent: `# @note text`, as in VS Code REST Client and httpYac. */
export function noteOf({ annotations }: RequestDraft): string | undefined {
  return findAnnotation(annotations, "note")?.value;
}

/** The warning about an annotation without an effect; none for comments like `@todo`. */
export function annotationWarning(
  annotation: Annotation,
  draft: Pick<RequestDraft, "name" | "annotations" | "assertions" | "scripts">,
): string | undefined {
  const { name, assertions = [], scripts = [] } = draft;
  const key = annotationKey(annotation);
  if (key === "retry" && assertions.length + scripts.length === 0 && pollingOf(draft) !== undefined)
    return `"# @retry ${annotation.value}" repeats a request until its assertions hold, and this one has none`;
  if (IGNORED.has(key) || SUPPORTED_KEYS.has(key)) return undefined;
  const hint = UNSUPPORTED_BY_KEY.get(key) ?? prefixHint(annotation.key);
  if (hint !== undefined) return `"# @${annotation.key}" is not supported. ${withName(hint, name)}`;
  const [near] = key.length < 4 ? [] : nearNames(annotation.key.toLowerCase(), SUPPORTED, 1);
  if (near === undefined) return undefined;
  return `"# @${annotation.key}" is unknown. Did you mean "# @${near}"?`;
}

function prefixHint(key: string): string | undefined {
  return Object.entries(UNSUPPORTED_PREFIXES).find(([prefix]) => key.startsWith(prefix))?.[1];
}

/** Puts the name of the request into a hint about its response; a request without a name needs one. */
function withName(hint: string, name: string | undefined): string {
  if (!hint.includes(RESPONSE)) return hint;
  if (name === undefined) return `${hint}, with "# @name NAME" above the request`;
  const isIdentifier = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
  const member = isIdentifier ? `.${name}` : `[${JSON.stringify(name)}]`;
  return hint.replace(RESPONSE, () => `client.responses${member}`);
}
