import type { AssertionDraft } from "../assertions/mod.ts";
import {
  createFault,
  type Fault,
  firstLineSpan,
  renderTemplate,
  type Span,
  shorten,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";
import type { BodyDraft, HeaderDraft, RequestDraft } from "./draft.ts";
import {
  completeTarget,
  headerFaults,
  methodFault,
  type RenderedParts,
  renderParts,
  schemeFault,
} from "./render.ts";
import { encodingLabel } from "./render-body.ts";
import { explainForbidden, FORBIDDEN_METHOD } from "./request-line.ts";
import { REMOVED_FROM_URL } from "./target.ts";
import { bodyTemplates } from "./templates.ts";

const PATHS_HINT =
  "Paths are relative to the folder of the file, at the prompt to the working folder";

/** What a request is rendered and checked with. */
export interface Rendering {
  readonly variables: Variables;
  /** Whether a template has no placeholder whose value is not known yet. */
  readonly isFixed: (template: Template) => boolean;
  readonly hasFile: ((path: string) => boolean) | undefined;
  /** Completes a target that is a path. */
  readonly baseUrl: string | undefined;
}

/** Renders a request, and finds all its faults. */
export function checkRequest(
  given: RequestDraft,
  { variables, isFixed, hasFile, baseUrl }: Rendering,
): { readonly faults: readonly CheckFault[]; readonly parts: RenderedParts } {
  const draft = withoutComments(given, isFixed);
  const unresolved: Fault[] = [];
  const parts = renderParts(draft, variables, { unresolved });
  const starts = new Set(unresolved.map(({ span }) => span.start));
  const isResolved = ({ parts: all }: Template): boolean =>
    !all.some((part) => typeof part !== "string" && starts.has(part.span.start));
  const isKnown = (template: Template): boolean => isFixed(template) && isResolved(template);
  const faults = unresolved.map((fault) => toCheckFault(fault, "name"));
  const add: AddFault = (code, span, message, hint, severity) =>
    void faults.push(toCheckFault(createFault(draft, span, message, hint), code, severity));
  for (const fault of headerFaults(draft, parts.headers)) {
    const isOfKnown = ({ span, value }: HeaderDraft): boolean =>
      span === fault.span && isKnown(value);
    if (draft.headers.some(isOfKnown)) faults.push(toCheckFault(fault, "header"));
  }
  if (parts.credentials instanceof Error && draft.headers.every(({ value }) => isKnown(value))) {
    const header = draft.headers.find(({ name }) => name.toLowerCase() === "authorization");
    add("header", header?.span ?? draft.span, parts.credentials.message);
  }
  for (const { code, message, hint, span, of = [] } of parts.remarks) {
    if (of.every(isKnown)) add(code, span, message, hint, "warning");
  }
  const { source, span: whole } = draft;
  const { method } = parts;
  if (draft.methodTemplate !== undefined && isKnown(draft.methodTemplate)) {
    const ofMethod = methodFault({ ...draft, method });
    if (ofMethod !== undefined) faults.push(toCheckFault(ofMethod, "syntax"));
  }
  if (FORBIDDEN_METHOD.test(method))
    add("syntax", firstLineSpan(source, whole), explainForbidden(method));
  const { fault: ofBody } = parts.rendered;
  if (ofBody !== undefined && (ofBody.of ?? []).every(isKnown)) {
    add(ofBody.code, ofBody.span, ofBody.message, ofBody.hint);
  }
  const isUrlKnown =
    isKnown(draft.url) && draft.headers.every(({ name, value }) => !isHost(name) || isKnown(value));
  const fault = isUrlKnown
    ? urlFault(draft, parts, variables, baseUrl)
    : schemeFault(draft, beginningOf(draft.url), false);
  if (fault !== undefined) faults.push(toCheckFault(fault, "url"));
  const { body, saveTo } = draft;
  if (parts.saveFault !== undefined && saveTo !== undefined && isKnown(saveTo.path)) {
    faults.push(toCheckFault(parts.saveFault, "file"));
  }
  if (body !== undefined) addFileFaults(body, parts, { hasFile, isKnown }, add);
  const hasOthers = parts.clientCertificate !== undefined || parts.query !== undefined;
  for (const { what, path, of } of hasOthers ? otherFiles(draft, parts) : []) {
    if (hasFile?.(path) !== false || !of.every(isKnown)) continue;
    add("file", draft.span, `The ${what} "${path}" does not exist or cannot be read`, PATHS_HINT);
  }
  return { faults, parts };
}

type AddFault = (
  code: CheckCode,
  span: Span,
  message: string,
  hint?: string,
  severity?: CheckFault["severity"],
) => void;

/** While its type is not known, the comments of a body may contain anything. */
function withoutComments(draft: RequestDraft, isFixed: Rendering["isFixed"]): RequestDraft {
  const { body, headers } = draft;
  if (body?.kind !== "text" || body.json === undefined) return draft;
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type");
  if (type === undefined || isFixed(type.value)) return draft;
  return { ...draft, body: { ...body, ...body.json } };
}

/** Whether a header completes a target without a host; a placeholder may be one. */
function isHost(name: string): boolean {
  return name === "" || name.toLowerCase() === "host";
}

function urlFault(
  draft: RequestDraft,
  { target, headers }: RenderedParts,
  variables: Variables,
  baseUrl: string | undefined,
): Fault | undefined {
  const broken = schemeFault(draft, target, true);
  if (broken !== undefined) return broken;
  const completed = completeTarget(draft, target, headers, variables, baseUrl);
  if (typeof completed !== "string") return completed;
  const encoded = completed.trimStart().replace(REMOVED_FROM_URL, encodeURIComponent);
  if (URL.canParse(encoded)) return undefined;
  const message = `The URL is not valid: "${shorten(target)}"`;
  return createFault(draft, draft.urlSpan, message, "Check its host and port");
}

/** The text before the first placeholder. */
function beginningOf({ parts: [first] }: Template): string {
  return typeof first === "string" ? first : "";
}

/** A file that a request reads besides those of its body, and of cookies, which a request above it may write. */
interface OtherFile {
  readonly what: string;
  readonly path: string;
  /** The templates that its path depends on. */
  readonly of: readonly Template[];
}

function otherFiles(
  { headers, query = [] }: RequestDraft,
  { clientCertificate, query: rendered = [] }: RenderedParts,
): readonly OtherFile[] {
  const { passphrase: _, ...certificate } = clientCertificate ?? {};
  const ofCertificate = headers.map(({ value }) => value);
  return [
    ...Array.from(
      new Set(Object.values<string>(certificate)),
      (path): OtherFile => ({
        what: "client certificate",
        path,
        of: ofCertificate,
      }),
    ),
    ...rendered.flatMap((piece, at): OtherFile[] => {
      const written = query[at];
      if (typeof piece === "string" || written === undefined || !("path" in written)) return [];
      return [{ what: "query file", path: piece.path, of: [written.path] }];
    }),
  ];
}

/** The faults of the files of a body. */
function addFileFaults(
  body: BodyDraft,
  { rendered: { body: rendered } }: RenderedParts,
  { hasFile, isKnown }: Pick<Rendering, "hasFile"> & { isKnown(template: Template): boolean },
  add: AddFault,
): void {
  if (typeof rendered !== "object") return;
  const files =
    "pieces" in rendered
      ? rendered.pieces.filter((piece) => typeof piece === "object")
      : [rendered];
  const isAllKnown = bodyTemplates(body).every(isKnown);
  for (const { path, encoding, bytes } of files) {
    if (encoding !== undefined && encodingLabel(encoding) === undefined) {
      add("file", body.span, `The encoding "${encoding}" of the file "${path}" is not supported`);
    }
    if (!isAllKnown || bytes !== undefined || hasFile === undefined || hasFile(path)) continue;
    const message = `The body file "${path}" does not exist or cannot be read`;
    add("file", body.span, message, PATHS_HINT);
  }
}

/** Finds the faults of the assertions and scripts of a request. */
export function checkAssertions(
  { assertions = [], scripts = [] }: RequestDraft,
  variables: Variables,
  hasFile: Rendering["hasFile"],
): readonly CheckFault[] {
  const unresolved: Fault[] = [];
  for (const { expected } of assertions) {
    if (expected !== undefined) renderTemplate(expected, variables, "text", { unresolved });
  }
  const missing = scripts.flatMap((script) => {
    const { from, span } = script;
    if (from.kind === "code" || hasFile === undefined || hasFile(from.path)) return [];
    const message = `The script "${from.path}" does not exist or cannot be read`;
    return [toCheckFault(createFault(script, span, message, PATHS_HINT), "file")];
  });
  return [
    ...unresolved.map((fault) => toCheckFault(fault, "name")),
    ...missing,
    ...assertions.flatMap(remarksOn),
  ];
}

/** What an assertion may pass for without being meant. */
function remarksOn(assertion: AssertionDraft): readonly CheckFault[] {
  const { field, predicate, isNegated, isEach, span } = assertion;
  const remark = (message: string, hint: string): CheckFault =>
    toCheckFault(createFault(assertion, span, message, hint), "syntax", "warning");
  const query = field.kind === "body" && isEach !== true ? field.path?.query : undefined;
  const isLoose = predicate === "exists" && isNegated;
  return [
    ...(isLoose ? [remark(LOOSE, 'Write "not isDefined" for what must be missing')] : []),
    ...(query !== undefined && EVERY_ONE.test(query) && !query.endsWith("[]")
      ? [
          remark(
            `Only the first value of "${query}" is tested`,
            'Write "each" before the predicate to test all',
          ),
        ]
      : []),
  ];
}

const LOOSE = '"not exists" passes for 0, false, null and an empty text as well, as in httpYac';
/** A path to all items or members. */
const EVERY_ONE = /[.[]\*/;

/** A fault of a request text that was found without sending it. */
export interface CheckFault extends Fault {
  /** The kind of fault. */
  readonly code: CheckCode;
  /** `error` prevents sending; `warning` is a probable mistake. */
  readonly severity: "error" | "warning";
}

/** The kinds of faults. */
export type CheckCode =
  | "syntax"
  | "name"
  | "reference"
  | "url"
  | "header"
  | "header-name"
  | "body"
  | "json"
  | "file"
  | "ignored";

/** Adds a code and a severity to a fault. */
export function toCheckFault(
  fault: Fault,
  code: CheckCode,
  severity: CheckFault["severity"] = "error",
): CheckFault {
  return { ...fault, code, severity };
}
