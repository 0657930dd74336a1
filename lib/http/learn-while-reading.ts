import { join, parseMediaType, streamKind } from "../exchange/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { BodyObserver } from "./receive-body.ts";

/** No more of a body is shown before it is complete, unless it is a stream. */
const BEGINNING = 65_536;
/** The end of a chunk that is scanned again with the next one: a name and its value. */
const OVERLAP = 4_096;
/** How much is scanned of a body that is not kept; some types take a second for this. */
const UNKEPT_LIMIT = 10_000_000;
/** Longer lines are scanned in parts. */
const LONGEST_LINE = 262_144;

/**
 * Wraps an observer so that secrets are learned before it shows them: from the headers, from each line of
 * a stream, from the beginning of any other body, and from most of a body that is not kept.
 */
export function learnWhileReading(
  observer: BodyObserver,
  secrets: Secrets,
): Pick<BodyObserver, "keepBytes" | "mayStop" | "begin" | "chunk" | "end"> {
  let learn: (bytes: Uint8Array) => void = () => undefined;
  let forget = (): void => undefined;
  return {
    mayStop: observer.mayStop,
    // A download knows it when the response has begun.
    get keepBytes() {
      return observer.keepBytes;
    },
    begin(response, url, start, charset) {
      const { essence } = parseMediaType(response.headers.get("content-type"));
      const kind = streamKind(essence);
      const isStream = kind === "lines" || kind === "events";
      const { headers } = response;
      secrets.learn({ kind: "headers", headers }, "server");
      const isUnkept = observer.mayStop === true && observer.keepBytes !== undefined;
      if (isStream) learn = learnLines(essence, secrets);
      else if (isUnkept) learn = learnUnkept(essence, secrets);
      else {
        const beginning = learnBeginning(essence, secrets);
        learn = beginning.learn;
        forget = beginning.forget;
      }
      observer.begin(response, url, start, charset);
    },
    chunk(bytes) {
      learn(bytes);
      return observer.chunk(bytes);
    },
    end(isWhole) {
      // The exchange is searched as a whole.
      forget();
      return observer.end(isWhole);
    },
  };
}

function learnLines(mediaType: string, secrets: Secrets): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    // Only the new text is searched, since a long line may arrive in many small chunks.
    const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    rest += text;
    if (end === 0 && rest.length <= LONGEST_LINE) return;
    const cut = end === 0 ? rest.length : rest.length - text.length + end;
    const whole = rest.slice(0, cut);
    rest = rest.slice(cut);
    secrets.learn({ kind: "body", text: () => whole, mediaType }, "server");
  };
}

function learnBeginning(
  mediaType: string,
  secrets: Secrets,
): { readonly learn: (bytes: Uint8Array) => void; readonly forget: () => void } {
  const kept: Uint8Array[] = [];
  let size = 0;
  let isWaiting = false;
  const learn = (bytes: Uint8Array): void => {
    if (size >= BEGINNING) return;
    kept.push(bytes.slice(0, BEGINNING - size));
    size += bytes.byteLength;
    // The store calls `text` when something is shown: then everything received so far is scanned.
    if (isWaiting) return;
    isWaiting = true;
    const text = (): string => {
      isWaiting = false;
      const decoder = new TextDecoder();
      return kept.map((piece) => decoder.decode(piece, { stream: true })).join("");
    };
    secrets.learn({ kind: "body", text, mediaType }, "server");
  };
  return { learn, forget: () => kept.splice(0) };
}

/** Types whose first line is needed for every part: column names, or a boundary. */
const HEADED = /^multipart\/|csv$|separated-values$/;

/** Scans each chunk with the end of the one before, since the body is never available as a whole. */
function learnUnkept(mediaType: string, secrets: Secrets): (bytes: Uint8Array) => void {
  const { learn: learnFirst } = learnBeginning(mediaType, secrets);
  let scanned = 0;
  let head = "";
  let tail = new Uint8Array();
  return (bytes) => {
    learnFirst(bytes);
    if (scanned === 0 && HEADED.test(mediaType)) head = firstLine(bytes);
    scanned += bytes.byteLength;
    const seen = join([tail, bytes], tail.byteLength + bytes.byteLength);
    tail = seen.slice(-OVERLAP);
    if (scanned <= BEGINNING || scanned > UNKEPT_LIMIT) return;
    const text = (): string => head + new TextDecoder().decode(seen);
    secrets.learn({ kind: "body", text, mediaType }, "server");
  };
}

function firstLine(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, OVERLAP));
  return text.slice(0, text.indexOf("\n") + 1);
}
