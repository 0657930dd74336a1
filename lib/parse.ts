/**
 * The request language alone, as `restlab/parse`: text → drafts with positions, without values and without a client.
 *
 * ```ts
 * import { parseRequests } from "restlab/parse";
 *
 * parseRequests("GET http://localhost/users").map(({ method }) => method); // ["GET"]
 * ```
 *
 * @module
 */

export {
  type Annotation,
  type AssignmentDraft,
  type BodyDraft,
  type BodyFile,
  type BodyMixture,
  type CheckCode,
  type CheckFault,
  type CheckOptions,
  type ClientCertificate,
  type CurlRequest,
  checkText,
  type Entry,
  type FileDraft,
  type HeaderDraft,
  type ImportDraft,
  InvalidHeaderError,
  type LoopDraft,
  type MessageStep,
  type ParsedText,
  type PreparedText,
  parseCurl,
  parseRequests,
  type Remark,
  type RenderedRequest,
  RequestCheckError,
  type RequestDraft,
  RequestSyntaxError,
  type RequestText,
  type RunDraft,
  readText,
  type SaveDraft,
  type ScriptDraft,
  type ScriptEntry,
  type SkippedScript,
  startsAsRequest,
} from "./request/mod.ts";
