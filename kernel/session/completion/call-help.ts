import type { Client } from "../../../lib/mod.ts";
import type { Candidate, Completion } from "../cell/mod.ts";
import { completeRequest } from "./complete-request.ts";

/** The first argument of a method of the client while it is typed: a string without its closing quote. */
const ARGUMENT =
  /\bclient\??\.(\w+)\(\s*(?:(`)((?:\\[\s\S]|[^\\`])*)|(["'])((?:\\.|(?!\4)[^\\\n])*))$/;
const TAKES_NAME = /^(?:[gs]et|has|delete)Var$|^origin$/;
const TAKES_REQUEST = /^(?:send|render)(?:All)?$|^(?:stream|download|paginate|check)$/;

const EMPTY_CALL = /\bclient\??\.(\w+)\(\s*$/;

/**
 * The names of variables, in quotes, if the first argument of a method that takes one is still empty.
 *
 * @returns Nothing at any other place.
 * @example `client.getVar(` is completed to `"base"`
 */
export function completeName(
  { vars }: Pick<Client, "vars">,
  code: string,
  position: number,
): readonly Candidate[] | undefined {
  const [, method = ""] = EMPTY_CALL.exec(code.slice(0, position)) ?? [];
  if (!TAKES_NAME.test(method)) return undefined;
  return [...vars.keys()].map((name) => ({ text: JSON.stringify(name), kind: "variable" }));
}

/**
 * Completions in the text that a method of the client is called with: names of variables, and requests.
 *
 * @returns Nothing at any other place, or if nothing is known.
 * @example `client.getVar("ba` is completed to `base`, and client.send(`GET {{ba` to `{{base}}`
 */
export function completeCall(
  client: Client,
  code: string,
  position: number,
): Completion | undefined {
  const head = code.slice(0, position);
  const [, method = "", , template, , quoted] = ARGUMENT.exec(head) ?? [];
  const text = template ?? quoted;
  if (text === undefined) return undefined;
  if (TAKES_NAME.test(method)) {
    const candidates = [...client.vars.keys()]
      .filter((name) => name.startsWith(text))
      .map((name) => ({ text: name, kind: "variable" }));
    return { start: position - text.length, end: position, candidates };
  }
  if (!TAKES_REQUEST.test(method)) return undefined;
  const from = position - text.length;
  const found = completeRequest(client, code.slice(from), text.length);
  if (found.candidates.length === 0) return undefined;
  return { ...found, start: found.start + from, end: found.end + from };
}
