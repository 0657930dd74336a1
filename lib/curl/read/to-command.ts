import type { Span } from "../../interpolation/mod.ts";
import type { CurlBody, CurlCommand } from "./command.ts";
import { connectionOf } from "./connection-effects.ts";
import { joinData, queryOf } from "./data.ts";
import type { State } from "./state.ts";
import { checkGlob, remoteName, urlOf } from "./url.ts";
import type { Report } from "./word.ts";

/** Creates the command of all options, and reports options that exclude each other. */
export function toCommand(state: State, span: Span, report: Report): CurlCommand | undefined {
  const [first, second] = state.urls;
  if (first === undefined) {
    report(span, "The command has no URL", "Write one after curl");
    return undefined;
  }
  if (second !== undefined) {
    report(
      second.span,
      `The command has a second URL "${second.text}"`,
      "Write one command for each URL",
    );
  }
  checkGlob(first, state, report);
  const kinds = [state.data.length > 0, state.fields.length > 0, state.uploads];
  if (kinds.filter(Boolean).length > 1) {
    const hint = "Use only one of -d, -F and -T";
    report(span, "The command has several kinds of bodies", hint);
  }
  if (state.isHead && kinds.some(Boolean) && !state.isGet) {
    report(span, "A HEAD request cannot have a body", "Remove -I or the data");
  }
  const query = queryOf([...state.query, ...(state.isGet ? state.data : [])], span, report);
  const body = state.isGet ? undefined : bodyOf(state);
  const url = urlOf(state, first.text, query);
  const connection = connectionOf(state.connection);
  const output = state.output ?? (state.savesByName ? remoteName(url) : undefined);
  return {
    method: state.method ?? (state.isHead ? "HEAD" : methodFor(state, body)),
    url,
    headers: headersOf(state, body),
    body,
    follows: state.follows === true,
    ...(state.redirectLimit === undefined ? {} : { redirectLimit: state.redirectLimit }),
    ...(connection === undefined ? {} : { connection }),
    ...(state.seconds === undefined ? {} : { seconds: state.seconds }),
    ...(state.retries === undefined ? {} : { retries: state.retries }),
    ...(output === undefined ? {} : { output }),
    span,
  };
}

function methodFor(state: State, body: CurlBody | undefined): string {
  if (state.uploads !== undefined) return "PUT";
  return body === undefined ? "GET" : "POST";
}

function bodyOf(state: State): CurlBody | undefined {
  if (state.uploads !== undefined) return { kind: "file", path: state.uploads };
  if (state.fields.length > 0) return { kind: "form", fields: state.fields };
  const pieces = joinData(state.data);
  const [first, second] = pieces;
  if (first === undefined) return undefined;
  if (second !== undefined || ("path" in first && first.change !== undefined)) {
    return { kind: "pieces", pieces };
  }
  return "text" in first ? { kind: "text", text: first.text } : { kind: "file", path: first.path };
}

function headersOf(state: State, body: CurlBody | undefined): CurlCommand["headers"] {
  const headers = [...state.headers];
  const has = (name: string): boolean =>
    state.removed.has(name) || headers.some(([it]) => it.toLowerCase() === name);
  if (state.cookies.length > 0) headers.push(["Cookie", state.cookies.join("; ")]);
  if (state.user !== undefined && !has("authorization")) {
    headers.push(["Authorization", SCHEMES[state.scheme](state.user, state)]);
  }
  if (state.isJson && !has("content-type")) headers.push(["Content-Type", "application/json"]);
  if (state.isJson && !has("accept")) headers.push(["Accept", "application/json"]);
  if (state.data.length > 0 && body !== undefined && !has("content-type")) {
    headers.push(["Content-Type", "application/x-www-form-urlencoded"]);
  }
  return headers;
}

/** The `Authorization` line of each scheme; the client handles `Digest` and `AWS`. */
const SCHEMES: { readonly [S in State["scheme"]]: (user: string, state: State) => string } = {
  basic: basicOf,
  digest: (user) => `Digest ${pairOf(user)}`,
  aws: (user, { signedFor }) => `AWS ${pairOf(user)} ${signedFor}`.trimEnd(),
};

/** `name password`. With a colon, a name with spaces would be ambiguous. */
function pairOf(user: string): string {
  const [, name = user, password = ""] = /^([^:]*):([\s\S]*)$/.exec(user) ?? [];
  return password === "" ? `${name}:` : `${name} ${password}`;
}

/** With placeholders, the client encodes `Basic name password` after rendering. */
function basicOf(user: string): string {
  if (user.includes("{{")) return `Basic ${user.includes(":") ? pairOf(user) : user}`;
  const pair = user.includes(":") ? user : `${user}:`;
  const bytes = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte));
  return `Basic ${btoa(bytes.join(""))}`;
}
