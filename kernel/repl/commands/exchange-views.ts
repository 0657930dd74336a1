import { DEFAULT_LIMITS, maskAnswerText, viewExchange } from "../../../lib/display/mod.ts";
import type { Exchange } from "../../../lib/mod.ts";
import { indentJson } from "./indent-json.ts";
import { CommandError, type Shell } from "./shell.ts";
import { visibleBody } from "./visible-body.ts";

/** Much more than the short view shows, and still bounded: a terminal is no file. */
const FULL = {
  ...DEFAULT_LIMITS,
  rows: 10_000,
  columns: 200,
  cell: 2_000,
  table: 5_000_000,
  fields: 10_000,
  depth: 12,
  text: 5_000_000,
  hex: 4_096,
  notes: 1_000,
};

type View = (exchange: Exchange, shell: Shell) => Promise<void>;

const VIEWS: Readonly<Record<string, View>> = {
  full: async (exchange, { page }) =>
    await page((printer) => printer.blocks(viewExchange(exchange, FULL))),
  json: async (exchange, { pageText }) =>
    await pageText(maskAnswerText(exchange, indented(exchange)), "json"),
  headers: async (exchange, { page }) =>
    await page((printer) =>
      printer.blocks(
        viewExchange(exchange, FULL).filter(({ kind }) =>
          ["request", "redirect", "status", "headers"].includes(kind),
        ),
      ),
    ),
  body: async (exchange, { pageText }) => {
    const text = visibleBody(exchange, ".save FILE keeps them");
    await pageText(text, /[/+]json$/.test(exchange.mediaType) ? "json" : undefined);
  },
};

/** The forms in which an exchange can be seen. */
export const FORMS: readonly string[] = Object.keys(VIEWS);

/**
 * Shows an exchange in one of the forms, or in full.
 *
 * @throws {CommandError} There is no such form.
 */
export async function view(exchange: Exchange, form: string, shell: Shell): Promise<void> {
  const show = VIEWS[form === "" ? "full" : form.toLowerCase()];
  if (show === undefined) {
    throw new CommandError(`Showing "${form}" failed: the forms are ${FORMS.join(", ")}`);
  }
  await show(exchange, shell);
}

/** The JSON of an answer with its own digits, in lines. */
function indented({ text, json }: Exchange): string {
  if (json === undefined) throw new CommandError("Showing JSON failed: the body is empty");
  return indentJson(text);
}

/** A text of an exchange without its secrets. */
export function hide(text: string, { secrets }: Exchange): string {
  return secrets.reduce((shown, known) => known.mask(shown), text);
}
