import { quoteWord } from "../../lib/curl/mod.ts";
import { escapeBraces, writeTemplate } from "../../lib/interpolation/mod.ts";
import { type Client, parseRequests, renderJson, type Value } from "../../lib/mod.ts";
import { readOutline, readText } from "../../lib/request/mod.ts";
import { isPrivate, isSecretField, type Session } from "../session/mod.ts";
import { kindOfInput, languageOf } from "./entry/mod.ts";

type Headers = Session["settings"]["headers"];

/** The entries that a session has run, to be saved as a document. */
export interface Journal {
  /** @param headers The headers of the session, which a saved request has to contain. */
  add(entry: string, headers?: Headers): void;
  clear(): void;
  /**
   * All entries as cells of a notebook.
   *
   * @throws {Error} Request text cannot express a header.
   */
  toNotebook(client: Pick<Client, "hasVar" | "secrets">): Composition;
  /** The requests, preceded by the variables that they need; throws what `toNotebook` throws. */
  toHttp(client: Client, isSecret: (name: string) => boolean): Composition;
}

/** Cells to save, and remarks for the person. */
interface Composition {
  readonly entries: readonly string[];
  readonly remarks: readonly string[];
}

/** The variable with the address of the embedded API, which ends with the session. */
interface DemoVariable {
  readonly name: string;
  readonly value: string;
}

/**
 * Creates an empty journal.
 *
 * @param demo Not saved: `--demo` starts an embedded API when the file is run.
 */
export function createJournal(demo?: DemoVariable): Journal {
  let entries: readonly { readonly text: string; readonly headers: Headers }[] = [];
  const written = (): readonly string[] =>
    entries.map(({ text, headers }) => withHeaders(text, headers));
  return {
    add: (entry, headers = new Map()) => {
      entries = [...entries, { text: entry.trim(), headers: new Map(headers) }];
    },
    clear: () => {
      entries = [];
    },
    toNotebook: (client) => {
      const headers = createSecretHeaders(client);
      const hasSecret = (entry: string): boolean => isPrivate(entry, client.secrets);
      const known = written().map(headers.hide);
      const open = known.map((entry) => (hasSecret(entry) ? withoutSecret(entry) : entry));
      const hidden = known.filter(hasSecret).length;
      const remarks = hidden > 0 ? [leftOut(hidden, "that contain secrets")] : [];
      if (demo !== undefined && needs(open.join("\n"), demo.name)) remarks.push(demoRemark(demo));
      return { entries: open, remarks: [...remarks, ...headers.remarks] };
    },
    toHttp: (client, isSecret) => composeHttp(written(), client, isSecret, demo),
  };
}

/** Writes headers into each request of an entry that does not have them. What is written is parsed to see that it is them. */
function withHeaders(entry: string, headers: Headers): string {
  const input = kindOfInput(entry);
  if (headers.size === 0 || input.kind !== "request") return entry;
  const expected = parseRequests(input.text).map((draft) => {
    const names = draft.headers.map(({ name }) => name.toLowerCase());
    const own = new Set([...names, ...(draft.without ?? [])]);
    const added = [...headers].filter(([name]) => !own.has(name.toLowerCase()));
    return { draft, added: added.map(([name, value]) => [name, headerText(value)] as const) };
  });
  let text = entry;
  for (const { draft, added } of expected.toReversed()) {
    const { origin, urlSpan, headers: before } = draft;
    const from = origin?.end ?? before.at(-1)?.span.end ?? urlSpan.end;
    const at = origin === undefined ? from + entry.slice(from).search(/[\r\n]|$/) : from;
    const lines = added.map(([name, value]) => {
      if (origin === undefined) return `\n${name}: ${value}`;
      return ` \\\n  -H ${quoteWord(value === "" ? `${name};` : `${name}: ${value}`)}`;
    });
    text = text.slice(0, at) + lines.join("") + text.slice(at);
  }
  const written = kindOfInput(text);
  // What is not curl cannot take -H: nothing is found then.
  const { statements } = readText(written.kind === "request" ? written.text : "");
  const read = statements.filter((statement) => statement.kind === "request");
  for (const [index, { draft, added }] of expected.entries()) {
    const { headers: found = [] } = read[index] ?? {};
    const wrong = added.find(
      ([name, value]) =>
        found.length !== draft.headers.length + added.length ||
        !found.some((header) => header.name === name && writeTemplate(header.value) === value),
    );
    if (wrong === undefined) continue;
    throw new Error(
      `Writing failed: request text cannot express the value of the header "${wrong[0]}" that a request was sent with; .reset begins a session without it`,
    );
  }
  return text;
}

/** Blanks around a value are not sent. */
function headerText(value: string | Parameters<typeof writeTemplate>[0]): string {
  const text = typeof value === "string" ? escapeBraces(value) : writeTemplate(value);
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
}

function withoutSecret(entry: string): string {
  const mark = languageOf(entry) === "typescript" ? "//" : "#";
  const lines = entry.split("\n").length;
  return `${mark} An entry of ${lines} ${lines === 1 ? "line" : "lines"} that contains a secret was left out here`;
}

function leftOut(count: number, what: string): string {
  return `${count} ${count === 1 ? "entry" : "entries"} ${what} left out`;
}

function composeHttp(
  entries: readonly string[],
  client: Client,
  isSecret: (name: string) => boolean,
  demo: DemoVariable | undefined,
): Composition {
  const headers = createSecretHeaders(client);
  const kinds = entries.map((entry) => kindOfInput(entry).kind);
  const isRequest = (_entry: string, at: number): boolean =>
    kinds[at] === "request" || kinds[at] === "empty";
  const requests = entries.filter(isRequest).map(headers.hide);
  const assertions = kinds.filter((kind) => kind === "assertions").length;
  const code = kinds.filter((kind) => kind === "typescript").length;
  const shown = requests.filter((entry) => !isPrivate(entry, client.secrets));
  const remarks: string[] = [];
  if (shown.length < requests.length) {
    remarks.push(leftOut(requests.length - shown.length, "that contain secrets"));
  }
  if (code > 0) remarks.push(leftOut(code, "of TypeScript"));
  // In a file an assertion belongs to the request above it, which may not be the one that it was about.
  if (assertions > 0) remarks.push(leftOut(assertions, "of assertions alone"));
  remarks.push(...headers.remarks);
  const text = shown.join("\n");
  const lines: string[] = remarks.map((remark) => `# ${remark}`);
  for (const name of namesIn(text)) {
    if (!needs(text, name) || !client.hasVar(name)) continue;
    if (name === demo?.name && client.getVar(name) === demo.value) {
      lines.push(`# ${demoRemark(demo)}`);
      remarks.push(demoRemark(demo));
    } else if (isSecret(name)) {
      lines.push(`# The variable ${name} is a secret: run with --var ${name}=VALUE`);
      remarks.push(`the variable ${name} is a secret: run the file with --var ${name}=VALUE`);
    } else lines.push(variableLine(name, client.getVar(name) ?? null));
  }
  const [first, ...rest] = shown;
  if (first === undefined) return { entries: [], remarks };
  return { entries: [[...lines, first].join("\n"), ...rest], remarks };
}

const demoRemark = ({ name }: DemoVariable): string =>
  `{{${name}}} is the embedded API: run the file with --demo`;

/** Whether a text has a placeholder for a variable that it does not set. */
function needs(text: string, name: string): boolean {
  const isSet = new RegExp(`^[ \\t]*@${name}\\s*=|\\bsetVar\\(\\s*["']${name}["']`, "m").test(text);
  return !isSet && namesIn(text).has(name);
}

function namesIn(text: string): ReadonlySet<string> {
  const found = text.matchAll(/(?<!\\)\{\{\s*%?([\p{L}_][\p{L}\p{M}\p{N}_-]*)/gu);
  return new Set([...found].map(([, name]) => name ?? ""));
}

/** A variable line, which reads JSON values as JSON and anything else as text. */
export function variableLine(name: string, value: Value): string {
  const isPlain = typeof value === "string" && /^[\p{L}/][^\n\r{}]*$/u.test(value);
  const isWord = isPlain && !/^(?:true|false|null)$/.test(value) && value === value.trim();
  return `@${name} = ${escapeBraces(isWord ? value : renderJson(value))}`;
}

/** Replaces secrets in headers by placeholders. */
interface SecretHeaders {
  hide(entry: string): string;
  /** One remark for each placeholder. */
  readonly remarks: readonly string[];
}

const HEADER =
  /^([ \t]*)([\w-]{1,80})([ \t]*:[ \t]*)((?:(?:Basic|Bearer|Digest|Token)[ \t]+)?)(\S.*?)[ \t]*$/i;

/** Creates the replacement for one document. Placeholders do not use names of existing variables. */
function createSecretHeaders({
  hasVar,
  secrets,
}: Pick<Client, "hasVar" | "secrets">): SecretHeaders {
  const names = new Map<string, string>();
  const remarks: string[] = [];

  function nameFor(header: string, value: string): string {
    const known = names.get(`${header}:${value}`);
    if (known !== undefined) return known;
    const taken = new Set(names.values());
    const base = /^[a-z]/.test(header) ? header : `header-${header}`;
    let name = base;
    for (let count = 2; taken.has(name) || hasVar(name); count++) name = `${base}-${count}`;
    names.set(`${header}:${value}`, name);
    remarks.push(
      `the value of the header ${header} is a secret: run the file with --var ${name}=VALUE`,
    );
    return name;
  }

  function hideIn(line: string): string {
    const [, indent = "", name = "", colon = "", scheme = "", value = ""] = HEADER.exec(line) ?? [];
    if (value === "" || value.includes("{{")) return line;
    if (!isSecretField(name, scheme + value, secrets) && secrets.mask(line) === line) return line;
    return `${indent}${name}${colon}${scheme}{{${nameFor(name.toLowerCase(), value)}}}`;
  }

  return {
    remarks,
    hide: (entry) => {
      if (languageOf(entry) !== "request") return entry;
      const headers = [...readOutline(entry)].filter(({ kind }) => kind === "header");
      return headers.reduceRight(
        (text, line) => text.slice(0, line.start) + hideIn(line.text) + text.slice(line.end),
        entry,
      );
    },
  };
}
