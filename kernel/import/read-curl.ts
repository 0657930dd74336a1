import {
  type CurlBody,
  type CurlCommand,
  type CurlPiece,
  hasBytes,
  parseCurl,
} from "../../lib/curl/mod.ts";
import { curlAnnotations } from "../../lib/request/mod.ts";
import { type FormField, filePath, multipartBody, type TypedBody } from "./bodies.ts";
import { type CollectionBuilder, type ImportedRequest, joinText, type Text } from "./collection.ts";
import { hideSecrets } from "./credentials.ts";
import type { ReadContent, Source } from "./readers.ts";

/**
 * Marks of a shell variable in a command, which no command contains otherwise: its braces are literal.
 * They are characters for private use, and percent-encoded in the value of `--data-urlencode`.
 */
const [OPEN, CLOSE] = ["\ue000", "\ue001"];
// No name of a shell begins with a dollar sign: what does would be a value that the machine knows.
const MARKED = /(\ue000|%EE%80%80)([^\ue000\ue001%$]*)(?:\ue001|%EE%80%81)/;

/** Whether a text has a curl command. */
export function hasCurl(text: string): boolean {
  return COMMAND.test(text);
}

const COMMAND = /(?:^|[\s;|&({`])curl(?:\.exe)?(?=[ \t])/m;

/** Reads the curl commands of a shell script: its variables and comments are kept, and nothing of it is run. */
export function readCurlScript({ text }: Source, builder: CollectionBuilder): ReadContent {
  const source = text.replace(/^\uFEFF/, "").replace(/[\ue000\ue001]/g, "\ufffd");
  const isForCmd = /\^(?:\r?\n|")/.test(source);
  const items: ImportedRequest[] = [];
  let comments: string[] = [];
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const end = endOfLine(source, at);
    const written = source.slice(at, end);
    const command = COMMAND.exec(written);
    const [, comment] = /^\s*#(?!!)\s?(.*)$/.exec(written) ?? [];
    const [, name = "", value] =
      /^\s*(?:export\s+|readonly\s+|local\s+)?([A-Za-z_]\w*)=([^(].*|)$/.exec(written) ?? [];
    let next = end + 1;
    if (comment !== undefined) comments.push(comment.trim());
    else if (command !== null) {
      const start = at + command.index + command[0].search(/curl/);
      const read = isForCmd ? undefined : readWords(source, start, builder);
      const where = `line ${line}`;
      const parsed = toRequest(read?.text ?? source.slice(start), where, comments, builder);
      if (parsed.request !== undefined) items.push(parsed.request);
      // Another command may follow on the same line.
      next = Math.max(start + 4, read?.end ?? start + parsed.length);
      comments = [];
    } else if (value !== undefined) setVariable(name, value, builder);
    else if (written.trim() === "") comments = [];
    line += source.slice(at, Math.min(next, source.length)).split("\n").length - 1;
    at = next;
  }
  return { name: "curl", items };
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

/** A command with its variables marked, up to what only a shell can do. */
interface Words {
  readonly text: string;
  readonly end: number;
}

const TOKEN =
  /\\(?:\r?\n|[\s\S])|\$'(?:\\[\s\S]|[^'\\])*'|'[^']*'|"|\$\{([A-Za-z_]\w*)(?::?-([^}]*))?[^}]*\}|\$([A-Za-z_]\w*|\d)|\$\([^)]*\)|`[^`]*`|[\s\S]/g;

function readWords(source: string, start: number, builder: CollectionBuilder): Words {
  let text = "";
  let isQuoted = false;
  TOKEN.lastIndex = start;
  for (let found = TOKEN.exec(source); found !== null; found = TOKEN.exec(source)) {
    const [token, braced, usual, plain] = found;
    const name = braced ?? plain;
    if (name !== undefined) {
      const variable = /^\d/.test(name) ? `argument_${name}` : name;
      if (usual !== undefined && usual !== "") setVariable(variable, usual, builder);
      text += `${OPEN}${builder.nameOf(variable)}${CLOSE}`;
    } else if (/^(?:\$\(|`)/.test(token))
      text += `${OPEN}${builder.nameOf("shell_output")}${CLOSE}`;
    else if (isQuoted && /^'/.test(token)) {
      // A single quote has no meaning within double quotes.
      text += "'";
      TOKEN.lastIndex = found.index + 1;
    } else if (token === '"') {
      isQuoted = !isQuoted;
      text += token;
    } else if (!isQuoted && /^[\n|&;<>)]$/.test(token)) return { text, end: found.index + 1 };
    else text += token;
  }
  return { text, end: source.length };
}

function setVariable(name: string, written: string, builder: CollectionBuilder): void {
  const words = readWords(`${written}\n`, 0, builder).text.trim();
  const value = /^(["'])(.*)\1$/s.exec(words)?.[2] ?? words;
  const isKnown = value !== "" && !value.includes(`${OPEN}shell_output${CLOSE}`);
  builder.set(name, isKnown ? unmark(value) : undefined);
}

/** Text with its marks as variables. */
function unmark(text: string): Text {
  const parts: Text[number][] = [];
  let rest = text;
  for (let found = MARKED.exec(rest); found !== null; found = MARKED.exec(rest)) {
    const [whole, open, name = ""] = found;
    parts.push(rest.slice(0, found.index), { variable: open === OPEN ? name : `%${name}` });
    rest = rest.slice(found.index + whole.length);
  }
  return joinText([...parts, rest]);
}

function toRequest(
  text: string,
  where: string,
  comments: readonly string[],
  builder: CollectionBuilder,
): { readonly request?: ImportedRequest; readonly length: number } {
  const faults: string[] = [];
  const { command, next } = parseCurl(text, 0, (_span, message) => faults.push(message));
  if (command === undefined) {
    builder.remark("left out", where, show(faults[0] ?? "The command cannot be read"));
    return { length: next };
  }
  return { length: next, request: commandRequest(command, where, comments, builder) };
}

/**
 * The request of a command.
 *
 * @param toText Reads the variables in a text of the command.
 */
export function commandRequest(
  command: CurlCommand,
  where: string,
  comments: readonly string[],
  builder: CollectionBuilder,
  toText: (text: string) => Text = unmark,
): ImportedRequest {
  if (command.output !== undefined) {
    builder.remark("changed", where, `The response is not saved to "${show(command.output)}"`);
  }
  for (const name of command.without) {
    builder.remark(
      "changed",
      where,
      `The header "${name}" may be added, which the command removes`,
    );
  }
  if (command.query !== undefined) {
    builder.remark("left out", where, "The query of a file: write it into the URL");
  }
  const { method, url } = command;
  const typed = bodyOf(command, where, builder, toText);
  const headers = command.headers
    .filter(([name]) => typed?.type === undefined || name.toLowerCase() !== "content-type")
    .map(([name, value]) => ({ name, value: toText(value) }));
  const type = typed?.type === undefined ? [] : [{ name: "Content-Type", value: [typed.type] }];
  // A variable has the scheme, which no curl command is read without.
  const address = url.replace(/^http:\/\/(?=\ue000)/, "");
  const [title = "", ...more] = comments.filter((one) => one !== "");
  const path = show(url)
    .replace(/^[a-z]+:\/\/[^/?]*/i, "")
    .replace(/[?#].*$/s, "");
  return {
    kind: "request",
    title: title || `${method} ${path || "/"}`,
    where,
    description: more.join("\n"),
    annotations: curlAnnotations(command).map(([key, value]) => [key, show(value)] as const),
    method,
    url: toText(address.replace(/#.*/s, "")),
    query: [],
    headers: hideSecrets([...type, ...headers], builder),
    body: typed?.body,
  };
}

/** A text with its variables as a shell has them. */
function show(text: string): string {
  return text.replaceAll(OPEN, "$").replaceAll(CLOSE, "");
}

function bodyOf(
  { body }: CurlCommand,
  where: string,
  builder: CollectionBuilder,
  toText: (text: string) => Text,
): { readonly type?: string; readonly body: TypedBody["body"] } | undefined {
  if (body === undefined) return undefined;
  const file = (path: string): { readonly file: string } => {
    const near = filePath(show(path));
    if (near !== `./${path.replace(/^\.\//, "")}`) {
      builder.remark(
        "changed",
        where,
        `The file "${show(path)}" is read from "${near}": put it there`,
      );
    }
    return { file: near };
  };
  if (textsOf(body).some(hasBytes)) {
    builder.remark("left out", where, "A body with bytes that are not UTF-8: put them into a file");
    return undefined;
  }
  if (body.kind === "form") {
    return multipartBody(
      body.fields.map(({ name, value, type, fileName }): FormField => {
        const content = "path" in value ? file(value.path) : toText(value.text);
        return { name: toText(name), value: content, type, fileName };
      }),
    );
  }
  const pieces: readonly CurlPiece[] =
    body.kind === "pieces" ? body.pieces : body.kind === "file" ? [{ path: body.path }] : [body];
  const parts = pieces.flatMap((piece): readonly (Text[number] | { readonly file: string })[] => {
    if (!("path" in piece)) return toText(piece.text);
    if (piece.change !== undefined) {
      const how = piece.change === "encoded" ? "not percent-encoded" : "sent with its line breaks";
      builder.remark("changed", where, `The file "${show(piece.path)}" is ${how}`);
    }
    return [file(piece.path)];
  });
  return { body: { kind: "text", pieces: parts } };
}

/** The texts of a body, which may have bytes. */
function textsOf(body: CurlBody): readonly string[] {
  if (body.kind === "file") return [];
  if (body.kind === "text") return [body.text];
  if (body.kind === "pieces") return body.pieces.flatMap((it) => ("text" in it ? it.text : []));
  return body.fields.flatMap(({ name, value }) => [name, "text" in value ? value.text : ""]);
}
