import type { Fault, Span } from "../faults/mod.ts";
import { TemplateSyntaxError } from "../faults/mod.ts";
import { scanTemplate } from "./scan.ts";
import type { Part, Template } from "./template.ts";

/**
 * Parses a text with placeholders.
 *
 * Double braces whose content cannot begin a name stay text, a backslash before them makes them
 * text, and content that begins like a path has to be one.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to parse; all of it when left out.
 * @returns The template.
 * @throws {TemplateSyntaxError} With every broken placeholder of the text.
 */
export function parseTemplate(source: string, span?: Span): Template {
  const faults: Fault[] = [];
  const template = collectTemplate(source, span, faults);
  if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
  return template;
}

/**
 * As {@link parseTemplate}, for callers that gather the faults of several templates of one source
 * and throw once. A list that holds {@link FAULT_LIMIT} faults gets one more entry that says so.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to parse; all of it when left out.
 * @param faults Receives what is broken.
 * @returns The template; broken placeholders stand in it as text.
 */
export function collectTemplate(source: string, span: Span | undefined, faults: Fault[]): Template {
  const parts: Part[] = [];
  scanTemplate(source, span, faults, (part) => parts.push(part));
  return { source, parts };
}
