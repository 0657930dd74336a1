import {
  type Block,
  type Cell,
  indentJson,
  maskAnswerText,
  textWidth,
  toVisibleText,
  viewExchange,
  withoutFolds,
} from "../../lib/display/mod.ts";
import { isTextual } from "../../lib/exchange/mod.ts";
import {
  escapeBraces,
  parseTemplate,
  TemplateSyntaxError,
  writeTemplate,
} from "../../lib/interpolation/mod.ts";
import type { Client, Exchange, Hidden, RenderedRequest } from "../../lib/mod.ts";
import { isJsonType } from "../../lib/request/mod.ts";
import { HIDDEN } from "../../lib/secrets/mod.ts";
import { isSecretField, requestAsText, setHeader } from "../session/mod.ts";
import { WHOLE_LIMITS } from "../terminal/mod.ts";
import { kindOfInput } from "./entry/mod.ts";
import {
  type Choice,
  type Command,
  CommandError,
  choicesOf,
  type Shell,
  type Typed,
} from "./shell.ts";

export const REQUEST_COMMANDS: readonly Command[] = [
  {
    name: "preview",
    usage: "[REQUEST]",
    summary: "show what a request would send, the last one if none is given; nothing is sent",
    examples: [[".preview GET {{base}}/users?limit=2"], [".preview", "of the last request"]],
    run: async (argument, { client, lastCell, pageText }) => {
      const entry = argument === "" ? lastCell() : kindOfInput(argument);
      if (entry?.kind !== "request" && entry?.kind !== "empty") {
        throw new CommandError("Previewing failed: write a request after .preview");
      }
      const rendered = client.renderAll(entry.text);
      if (rendered.length === 0) throw new CommandError("Previewing failed: there is no request");
      const shown = rendered.map((request) => toHttpText(request, client));
      await pageText(shown.join("\n\n###\n"), "request");
    },
  },
  {
    name: "header",
    usage: "[NAME: [VALUE]]",
    summary: "list the headers of every request, set one, or remove one with an empty value",
    examples: [
      [".header Accept: application/json"],
      [".header Accept:", "removes it"],
      [".header", "lists them"],
    ],
    run: (argument, shell) => runHeader(argument, shell),
  },
  {
    name: "timeout",
    usage: "[SECONDS]",
    summary: "show or set the time limit of every request; 0 means none",
    examples: [[".timeout 2.5"], [".timeout 0", "no limit"]],
    run: (argument, { session: { settings }, timeout: initial, print }) => {
      const seconds = Number(argument);
      if (argument !== "" && !(seconds >= 0 && seconds <= 2_147_483)) {
        throw new CommandError(
          `Setting the time limit failed: "${argument}" is not a time in seconds`,
        );
      }
      if (argument !== "") settings.timeout = seconds * 1000;
      const timeout = settings.timeout ?? initial;
      if (timeout === 0) print("No time limit");
      else print(`Time limit: ${timeout / 1000} s`);
    },
  },
  {
    name: "last",
    usage: "[FORM]",
    summary: "show the last answer again, in full or as json, table, tree, headers, body or timing",
    examples: [[".last headers"], [".last json"]],
    complete: (typed) => (typed.before.length === 0 ? forms(typed) : []),
    run: async (argument, shell) => await view(lastOf(shell.client), argument, shell),
  },
  {
    name: "view",
    usage: "[FORM]",
    summary: "show the last answer as a tree, one value on each line, or in another form of .last",
    examples: [[".view"], [".view table", "all rows"], [".view timing"]],
    complete: (typed) => (typed.before.length === 0 ? forms(typed) : []),
    run: async (argument, shell) => await view(lastOf(shell.client), argument || "tree", shell),
  },
  {
    name: "history",
    usage: "[COUNT]",
    summary: "list the latest exchanges",
    examples: [[".history"], [".history 5"]],
    run: async (argument, shell) => {
      const { history } = shell.client;
      if (history.length === 0) return shell.print("Nothing has been sent yet");
      const count = argument === "" ? 20 : Number(argument);
      if (!(count > 0)) throw new CommandError(`Listing failed: "${argument}" is not a count`);
      const rows = history.map((exchange, index) => [
        cell(String(index + 1), "number"),
        cell(maskFor(exchange.request.method, exchange)),
        cell(maskFor(exchange.request.url, exchange)),
        cell(`${exchange.status} ${maskFor(exchange.statusText, exchange)}`.trim()),
        cell(`${Math.round(exchange.timing.total)} ms`, "number"),
        cell(String(exchange.sizes.response.body), "number"),
      ]);
      const columns = ["", "method", "url", "status", "time", "bytes"];
      const shown = rows.slice(-count);
      await shell.page((printer) =>
        printer.blocks([
          { kind: "table", columns, rows: shown, total: rows.length, totalColumns: 6 },
        ]),
      );
    },
  },
  {
    name: "show",
    usage: "NUMBER [FORM]",
    summary: "show an exchange of the history",
    examples: [[".show 1"], [".show -1 json", "-1 is the last"]],
    complete: (typed) => [exchanges, forms][typed.before.length]?.(typed) ?? [],
    run: async (argument, shell) => {
      const [, number = "", form = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
      if (number === "") {
        throw new CommandError("Showing failed: write .show NUMBER; .history lists the numbers");
      }
      const exchange = numbered(number, shell.client);
      if (form === "") await shell.show(exchange);
      else await view(exchange, form, shell);
    },
  },
  {
    name: "curl",
    usage: "[NUMBER]",
    summary: "print a request of the history as a curl command, the last one by default",
    examples: [[".curl"], [".curl 1", "placeholders stand for secrets"]],
    complete: (typed) => (typed.before.length === 0 ? exchanges(typed) : []),
    run: async (argument, { client, pageText }) => {
      await pageText(lastOrNumbered(argument, client).toCurl());
    },
  },
  {
    name: "send",
    usage: "[NUMBER]",
    summary: "send a request of the history again unchanged, the last one by default",
    examples: [[".send"], [".send 1"]],
    complete: (typed) => (typed.before.length === 0 ? exchanges(typed) : []),
    run: async (argument, shell) => {
      const { client, session, timeout } = shell;
      const { method, url, headers, body, streamed } = lastOrNumbered(argument, client).request;
      if (streamed !== undefined) {
        throw new CommandError(
          `Sending ${method} again failed: its body was streamed and is not kept; run the entry again`,
        );
      }
      // By the inner client and without credentials: the headers were complete when they were sent.
      const spec = { method, url, headers, ...(body === undefined ? {} : { body }) };
      const options = { auth: false, timeout: session.settings.timeout ?? timeout } as const;
      const again = (): Promise<Exchange> => session.inner.send(spec, options);
      await shell.show(await shell.withProgress(`${method} again`, again));
    },
  },
];

function runHeader(argument: string, { session, client, print }: Shell): void {
  const { headers } = session.settings;
  if (argument === "") {
    if (headers.size === 0) print("No headers: .header NAME: VALUE sets one");
    for (const [name, value] of headers) {
      const text = typeof value === "string" ? escapeBraces(value) : writeTemplate(value);
      const isSecret = isSecretField(name, text, client.secrets) && !/(?<!\\)\{\{/.test(text);
      print(`${name}: ${isSecret ? masked(text) : text}`);
    }
    return;
  }
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/.exec(argument) ?? [];
  if (name === undefined || value === undefined) {
    throw new CommandError(`Setting the header "${argument}" failed: write .header NAME: VALUE`);
  }
  try {
    setHeader(headers, name, value === "" ? undefined : parseTemplate(value));
  } catch (error) {
    const [fault] = error instanceof TemplateSyntaxError ? error.faults : [];
    if (fault === undefined) throw error;
    throw new CommandError(`${fault.message}. ${fault.hint ?? ""}`);
  }
}

const forms = (typed: Typed): readonly Choice[] => choicesOf(FORMS, typed);

/** The numbers of the history, the latest first. */
function exchanges({ word, client }: Typed): readonly Choice[] {
  const all = client.history.map((exchange, index) => ({
    text: String(index + 1),
    detail: `${exchange.request.method} ${maskFor(exchange.request.url, exchange)} ${exchange.status}`,
  }));
  return all.filter(({ text }) => text.startsWith(word)).reverse();
}

/** @throws {CommandError} Nothing has been answered yet. */
export function lastOf({ history }: Pick<Client, "history">): Exchange {
  const last = history.at(-1);
  if (last === undefined) throw new CommandError("Nothing has been answered yet");
  return last;
}

function lastOrNumbered(number: string, client: Client): Exchange {
  return number === "" ? lastOf(client) : numbered(number, client);
}

function numbered(text: string, { history }: Client): Exchange {
  const number = Number(text);
  const isNumber = Number.isInteger(number) && number !== 0;
  const exchange = isNumber ? history.at(number > 0 ? number - 1 : number) : undefined;
  if (exchange === undefined) {
    const range =
      history.length === 0 ? "nothing has been sent yet" : `there are 1 to ${history.length}`;
    throw new CommandError(`Exchange "${text}" does not exist: ${range}; .history lists them`);
  }
  return exchange;
}

const cell = (text: string, type: "text" | "number" = "text"): Cell => ({ text, type });

function toHttpText(request: RenderedRequest, { secrets }: Client): string {
  const remarks = [...request.warnings, ...(request.notes ?? [])].map((text) => `# ${text}`);
  const shown = requestAsText(request, (name, value) =>
    isSecretField(name, value, secrets) ? masked(value) : value,
  );
  return [...remarks, shown].join("\n");
}

/** A value of a secret header, without the secret. */
export function masked(value: string): string {
  return value.replace(/^(Basic |Bearer |Digest )?.*$/is, `$1${HIDDEN}`);
}

type View = (exchange: Exchange, shell: Shell) => Promise<void>;

const VIEWS: Readonly<Record<string, View>> = {
  full: async (exchange, shell) => {
    const columns = shell.platform.stdout.columns() || 80;
    await pageWhole(
      wholeBlocks(exchange).map((block) => (fits(block, columns) ? block : toVertical(block))),
      shell,
    );
  },
  json: async (exchange, { pageText }) =>
    await pageText(maskAnswerText(exchange, indentedJson(exchange)), "json"),
  headers: async (exchange, shell) => {
    const kinds = ["request", "redirect", "status", "headers"];
    await pageWhole(
      wholeBlocks(exchange).filter(({ kind }) => kinds.includes(kind)),
      shell,
    );
  },
  body: async (exchange, { pageText, client }) => {
    const isJson = isJsonType(exchange.mediaType) && exchange.bytes.length > 0;
    // .save writes the body of the last answer only.
    const isLast = exchange === client.history.at(-1);
    const text = visibleBody(exchange, isLast ? ".save FILE keeps them" : undefined);
    await pageText(isJson ? indentJson(text) : text, isJson ? "json" : undefined);
  },
  table: async (exchange, { client, page }) => {
    const table = client.table(exchange, { rows: WHOLE_LIMITS.rows });
    await page((printer) => printer.value(table), Number.POSITIVE_INFINITY);
  },
  tree: async (exchange, shell) => {
    const limits = isJsonType(exchange.mediaType) ? { ...WHOLE_LIMITS, columns: 0 } : WHOLE_LIMITS;
    const blocks = withoutFolds(viewExchange(exchange, limits));
    await pageWhole(blocks.filter(({ kind }) => kind !== "headers").map(toVertical), shell);
  },
  timing: async (exchange, shell) => {
    const blocks = viewExchange(exchange, WHOLE_LIMITS).flatMap((block) => {
      if (block.kind === "fold") return block.isTiming === true ? block.blocks : [];
      return block.kind === "status" ? [block] : [];
    });
    await pageWhole(blocks, shell);
  },
};

function wholeBlocks(exchange: Exchange): readonly Block[] {
  return withoutFolds(viewExchange(exchange, WHOLE_LIMITS));
}

/** Shows blocks with nothing cut: the terminal breaks long lines. */
async function pageWhole(blocks: readonly Block[], { page }: Shell): Promise<void> {
  await page((printer) => printer.blocks(blocks), Number.POSITIVE_INFINITY);
}

/** Whether a table has room for each of its cells; other blocks do not have to. */
function fits(block: Block, columns: number): boolean {
  if (block.kind !== "table") return true;
  const widths = block.columns.map((name, at) =>
    Math.max(...[name, ...block.rows.map((row) => row[at]?.text ?? "")].map(textWidth)),
  );
  return widths.reduce((sum, width) => sum + width + 2, -2) <= columns;
}

/** A table as a list of objects, which is read downwards. */
function toVertical(block: Block): Block {
  if (block.kind !== "table") return block;
  const { columns, rows, total } = block;
  const none = cell("");
  const fields = rows.map((row, index) => {
    const values = columns.map((key, at) => ({ key, value: row[at] ?? none }));
    const nested = { kind: "fields", of: "object", fields: values, total: values.length } as const;
    const value = cell(`${values.length} ${values.length === 1 ? "key" : "keys"}`);
    return { key: String(index), value, nested };
  });
  return { kind: "fields", of: "list", fields, total };
}

const FORMS: readonly string[] = Object.keys(VIEWS);

/**
 * Shows an exchange in one of the forms; an empty form is `full`.
 *
 * @throws {CommandError} The form does not exist.
 */
async function view(exchange: Exchange, form: string, shell: Shell): Promise<void> {
  const name = form === "" ? "full" : form.toLowerCase();
  const show = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  if (show === undefined) {
    throw new CommandError(`Showing "${form}" failed: the forms are ${FORMS.join(", ")}`);
  }
  await show(exchange, shell);
}

/** The JSON of an answer, indented, with its numbers as they were sent. */
function indentedJson({ text, json }: Exchange): string {
  if (json === undefined) throw new CommandError("Showing JSON failed: the body is empty");
  return indentJson(text);
}

/** Masks the secrets of an exchange in a text. */
function maskFor(text: string, { secrets }: Exchange): string {
  return secrets.reduce((shown, known) => known.mask(shown), text);
}

/**
 * The masked text of a body for a terminal; an empty or binary body is described.
 *
 * @param advice What to do with a binary body, if anything can be done with this one.
 * @param hidden Secrets to mask besides those of the exchange.
 * @example `597 bytes of image/png: .save FILE keeps them`
 */
export function visibleBody(
  exchange: Exchange,
  advice: string | undefined,
  hidden: readonly Hidden[] = [],
): string {
  const { bytes, text, mediaType } = exchange;
  if (bytes.length === 0) return "Empty body";
  const type = mediaType || "unknown type";
  const description = `${bytes.length} bytes of ${type}`;
  const advised = advice === undefined ? description : `${description}: ${advice}`;
  const shown = isTextual(exchange) ? text : advised;
  return toVisibleText(maskAnswerText(exchange, shown, hidden));
}
