import { indentJson, maskAnswerText, viewExchange } from "../../../lib/display/mod.ts";
import type { Exchange } from "../../../lib/mod.ts";
import { isJsonType } from "../../../lib/request/mod.ts";
import { WHOLE_LIMITS } from "../../terminal/mod.ts";
import { CommandError, type Shell } from "./shell.ts";
import { visibleBody } from "./visible-body.ts";

type View = (exchange: Exchange, shell: Shell) => Promise<void>;

const VIEWS: Readonly<Record<string, View>> = {
  full: async (exchange, { page }) =>
    await page((printer) => printer.blocks(viewExchange(exchange, WHOLE_LIMITS))),
  json: async (exchange, { pageText }) =>
    await pageText(maskAnswerText(exchange, indentedJson(exchange)), "json"),
  headers: async (exchange, { page }) =>
    await page((printer) =>
      printer.blocks(
        viewExchange(exchange, WHOLE_LIMITS).filter(({ kind }) =>
          ["request", "redirect", "status", "headers"].includes(kind),
        ),
      ),
    ),
  body: async (exchange, { pageText, client }) => {
    const isJson = isJsonType(exchange.mediaType) && exchange.bytes.length > 0;
    // .save writes the body of the last answer only.
    const isLast = exchange === client.history.at(-1);
    const text = visibleBody(exchange, isLast ? ".save FILE keeps them" : undefined);
    await pageText(isJson ? indentJson(text) : text, isJson ? "json" : undefined);
  },
};

export const FORMS: readonly string[] = Object.keys(VIEWS);

/**
 * Shows an exchange in one of the forms; an empty form is `full`.
 *
 * @throws {CommandError} The form does not exist.
 */
export async function view(exchange: Exchange, form: string, shell: Shell): Promise<void> {
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
export function maskFor(text: string, { secrets }: Exchange): string {
  return secrets.reduce((shown, known) => known.mask(shown), text);
}
