import type { Client } from "../../../lib/mod.ts";
import type { Candidate, Completion, Inspection } from "../cell/mod.ts";
import { ANNOTATIONS, HEADERS, METHODS } from "../words/mod.ts";
import { completePlaceholder, inspectPlaceholder, type KnownNames } from "./placeholder-help.ts";
import { previewRequest } from "./preview-request.ts";
import { placeAtEnd, type RequestPlace } from "./request-place.ts";

type Known = KnownNames & Pick<Client, "history">;

/** Completions in a request cell at a UTF-16 offset. */
export function completeRequest(client: Known, code: string, position: number): Completion {
  const place = placeAtEnd(code.slice(0, position));
  if (place.kind === "placeholder") {
    return completePlaceholder(client, place.path, position, code.slice(position));
  }
  const candidates = candidatesAt(client, place);
  const typed = place.typed.toLowerCase();
  return {
    start: position - place.typed.length,
    end: position,
    candidates: candidates.filter(({ text }) => text.toLowerCase().startsWith(typed)),
  };
}

function candidatesAt(
  client: Known,
  place: Exclude<RequestPlace, { readonly kind: "placeholder" }>,
): readonly Candidate[] {
  switch (place.kind) {
    case "method":
      return Object.entries(METHODS).map(([text, detail]) => ({ text, kind: "method", detail }));
    case "target":
      return targets(client, place.typed);
    case "annotation":
      return Object.entries(ANNOTATIONS).map(([text, detail]) => {
        return { text, kind: "annotation", detail };
      });
    case "headerName":
      return Object.entries(HEADERS).map(([name, { about }]) => {
        return { text: `${name}: `, kind: "header", detail: about };
      });
    case "headerValue":
      return headerValues(place.header);
    case "other":
      return [];
  }
}

/** What is known of the placeholder, method or header at a UTF-16 offset of a request cell. */
export function inspectRequest(
  client: KnownNames & Pick<Client, "renderAll">,
  code: string,
  position: number,
): Inspection | undefined {
  const before = code.slice(0, position);
  const rest = /^[\p{L}\p{N}_$-]*/u.exec(code.slice(position))?.[0] ?? "";
  const place = placeAtEnd(before + rest);
  if (place.kind === "placeholder") {
    const found = inspectPlaceholder(client, place.path);
    if (found !== undefined) return found;
  }
  if (place.kind === "method") {
    const about = METHODS[place.typed.toUpperCase()];
    if (about !== undefined) return { signature: place.typed, documentation: about };
  }
  if (place.kind === "headerName" || place.kind === "headerValue") {
    const name = place.kind === "headerValue" ? place.header : place.typed.toLowerCase();
    const header = knownHeader(name);
    if (header !== undefined) return { signature: header[0], documentation: header[1].about };
  }
  return previewRequest(client, code, position);
}

/** Where requests went before, and the variables that hold addresses; below such a variable, its paths. */
function targets({ vars, history, secrets }: Known, typed: string): Candidate[] {
  const addresses = [...vars].flatMap(([name, value]) =>
    typeof value === "string" && /^https?:\/\//.test(value) ? [{ text: `{{${name}}}`, value }] : [],
  );
  const sent = [...new Set(history.map(({ request }) => request.writtenUrl).reverse())];
  const base = addresses.find(({ text }) => typed.startsWith(text));
  const urls =
    base === undefined
      ? sent
      : sent
          .filter((url) => url.startsWith(base.value) && url !== base.value)
          .map((url) => base.text + url.slice(base.value.length));
  return [
    ...addresses.map(({ text, value }) => ({
      text,
      kind: "variable",
      detail: secrets.mask(value),
    })),
    ...urls.map((text) => ({ text: secrets.mask(text), kind: "url" })),
  ];
}

function headerValues(header: string): Candidate[] {
  return (knownHeader(header)?.[1].values ?? []).map((text) => ({ text, kind: "value" }));
}

/** @param name In lower case. */
function knownHeader(name: string) {
  return Object.entries(HEADERS).find(([known]) => known.toLowerCase() === name);
}
