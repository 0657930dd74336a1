import { inspect } from "node:util";
import type { Client, Secrets } from "../../lib/mod.ts";
import type { Candidate, Completion, Inspection } from "./evaluator.ts";
import { placeAtEnd } from "./request-place.ts";
import { HEADERS, METHODS } from "./request-words.ts";

const HIDDEN = "•••";

type Known = Pick<Client, "vars" | "history" | "secrets">;

/** Completions in a request cell at a UTF-16 offset. */
export function completeRequest(client: Known, code: string, position: number): Completion {
  const place = placeAtEnd(code.slice(0, position));
  if (place.kind === "placeholder") return completePath(client, place.path, position);
  const candidates = {
    method: () =>
      Object.entries(METHODS).map(([text, detail]) => ({ text, kind: "method", detail })),
    target: () => targets(client),
    headerName: () =>
      Object.entries(HEADERS).map(([name, { about }]) => ({
        text: `${name}: `,
        kind: "header",
        detail: about,
      })),
    headerValue: () => headerValues(place.kind === "headerValue" ? place.header : ""),
    other: () => [],
  }[place.kind]();
  const typed = place.typed.toLowerCase();
  return {
    start: position - place.typed.length,
    end: position,
    candidates: candidates.filter(({ text }) => text.toLowerCase().startsWith(typed)),
  };
}

/** What is known of the placeholder, method or header at a UTF-16 offset of a request cell. */
export function inspectRequest(
  client: Known,
  code: string,
  position: number,
): Inspection | undefined {
  const before = code.slice(0, position);
  const rest = /^[\p{L}\p{N}_$-]*/u.exec(code.slice(position))?.[0] ?? "";
  const place = placeAtEnd(before + rest);
  if (place.kind === "placeholder") {
    const value = valueAt(client, place.path);
    if (value === undefined) return undefined;
    return {
      signature: `{{${place.path}}}`,
      documentation: maskedValue(client, place.path, value),
    };
  }
  if (place.kind === "method") {
    const about = METHODS[place.typed.toUpperCase()];
    return about === undefined ? undefined : { signature: place.typed, documentation: about };
  }
  const name = place.kind === "headerValue" ? place.header : place.typed.toLowerCase();
  const header = Object.entries(HEADERS).find(([known]) => known.toLowerCase() === name);
  if (header === undefined) return undefined;
  return { signature: header[0], documentation: header[1].about };
}

function completePath(client: Known, path: string, position: number): Completion {
  const [, base = "", typed = ""] = /^(.*\.\s*)?([\p{L}\p{N}_-]*)$/u.exec(path) ?? [];
  const owner = base === "" ? undefined : valueAt(client, base.replace(/\.\s*$/, ""));
  const entries = base === "" ? [...client.vars] : isRecord(owner) ? Object.entries(owner) : [];
  const candidates = entries
    .filter(([name]) => name.startsWith(typed) && /^[\p{L}\p{N}_-]+$/u.test(name))
    .map(([text, value]) => ({
      text,
      kind: base === "" ? "variable" : "property",
      detail: shortView(value, client, base + text),
    }));
  return { start: position - typed.length, end: position, candidates };
}

/** The value of a path as a placeholder writes it: `name.property[0]["quoted key"]`. */
function valueAt({ vars }: Pick<Known, "vars">, path: string): unknown {
  const [name, ...steps] = path.match(/[\p{L}\p{N}_-]+|"(?:[^"\\]|\\.)*"/gu) ?? [];
  let value: unknown = name === undefined ? undefined : vars.get(name);
  for (const step of steps) {
    const key = step.startsWith('"') ? step.slice(1, -1) : step;
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Where requests went before, and the variables that hold addresses. */
function targets({ vars, history, secrets }: Known): Candidate[] {
  const addresses = [...vars]
    .filter(([, value]) => typeof value === "string" && /^https?:\/\//.test(value))
    .map(([name, value]) => ({
      text: `{{${name}}}`,
      kind: "variable",
      detail: secrets.mask(String(value)),
    }));
  const sent = new Set(history.map(({ request }) => request.writtenUrl).reverse());
  return [...addresses, ...[...sent].map((text) => ({ text: secrets.mask(text), kind: "url" }))];
}

function headerValues(header: string): Candidate[] {
  const known = Object.entries(HEADERS).find(([name]) => name.toLowerCase() === header);
  return (known?.[1].values ?? []).map((text) => ({ text, kind: "value" }));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Date);

function shortView(value: unknown, { secrets }: Known, path: string): string {
  if (isSecretPath(secrets, path)) return HIDDEN;
  secrets.learnValue(value);
  const text = secrets.mask(
    inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 10_000 }),
  );
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function maskedValue({ secrets }: Known, path: string, value: unknown): string {
  if (isSecretPath(secrets, path)) return HIDDEN;
  secrets.learnValue(value);
  return secrets.mask(inspect(value));
}

/** Values too short to be looked for are hidden by their names at least. */
function isSecretPath(secrets: Secrets, path: string): boolean {
  const last = /[\p{L}\p{N}_-]+(?=["\]]*$)/u.exec(path)?.[0];
  return last !== undefined && secrets.isSecretName(last);
}
