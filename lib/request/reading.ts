import {
  collectTemplate,
  createLocator,
  FAULT_LIMIT,
  type Fault,
  type Span,
  type Template,
  TemplateSyntaxError,
} from "../interpolation/mod.ts";
import { RequestSyntaxError } from "./errors.ts";

/** One pass over a source text: what its parts share, and where all that is wrong is gathered. */
export interface Reading {
  readonly source: string;
  /** Notes that something is wrong and lets the reading go on. */
  report(span: Span, message: string, hint: string): void;
  /** Parses a stretch of the source as a template; its faults are gathered. */
  template(span: Span): Template;
  /** Throws what was gathered, if anything was. */
  finish(): void;
}

/** Begins a pass over a source text. */
export function startReading(source: string): Reading {
  const faults: Fault[] = [];
  const locate = createLocator(source);
  let requestFaults = 0;
  return {
    source,
    report(span, message, hint) {
      requestFaults++;
      if (faults.length > FAULT_LIMIT) return;
      const position = locate(span.start);
      if (faults.length < FAULT_LIMIT) faults.push({ message, span, ...position, hint });
      else faults.push({ message: "More faults follow that are not listed", span, ...position });
    },
    template: (span) => collectTemplate(source, span, faults),
    finish() {
      if (requestFaults > 0) throw new RequestSyntaxError(source, faults);
      if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
    },
  };
}
