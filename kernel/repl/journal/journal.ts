import { type Client, renderJson, type Value } from "../../../lib/mod.ts";
import { isPrivate } from "../../session/mod.ts";
import { kindOfInput, languageOf } from "../entry/mod.ts";
import { createSecretHeaders } from "./secret-headers.ts";

/** The entries that a session has run, to be saved as a document. */
export interface Journal {
  add(entry: string): void;
  clear(): void;
  /** All entries as cells of a notebook. */
  toNotebook(client: Pick<Client, "hasVar" | "secrets">): Composition;
  /** The requests, preceded by the variables that they need. */
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
  let entries: readonly string[] = [];
  return {
    add: (entry) => {
      entries = [...entries, entry.trim()];
    },
    clear: () => {
      entries = [];
    },
    toNotebook: (client) => {
      const headers = createSecretHeaders(client);
      const hasSecret = (entry: string): boolean => isPrivate(entry, client.secrets);
      const known = entries.map(headers.hide);
      const open = known.map((entry) => (hasSecret(entry) ? withoutSecret(entry) : entry));
      const hidden = known.filter(hasSecret).length;
      const remarks = hidden > 0 ? [leftOut(hidden, "that contain secrets")] : [];
      if (demo !== undefined && needs(open.join("\n"), demo.name)) remarks.push(demoRemark(demo));
      return { entries: open, remarks: [...remarks, ...headers.remarks] };
    },
    toHttp: (client, isSecret) => composeHttp(entries, client, isSecret, demo),
  };
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
  const code = entries.length - requests.length - assertions;
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
    } else lines.push(`@${name} = ${valueText(client.getVar(name))}`);
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
  const found = text.matchAll(/(?<!\\)\{\{\s*([\p{L}_][\p{L}\p{M}\p{N}_-]*)/gu);
  return new Set([...found].map(([, name]) => name ?? ""));
}

/** The value for a variable line, which reads JSON values as JSON and anything else as text. */
function valueText(value: Value): string {
  const isPlain = typeof value === "string" && /^[\p{L}/][^\n\r{}]*$/u.test(value);
  const isWord = isPlain && !/^(?:true|false|null)$/.test(value) && value === value.trim();
  return (isWord ? value : renderJson(value)).replaceAll("{{", "\\{{");
}
