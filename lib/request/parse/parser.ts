import {
  collectTemplate,
  createFaultReporter,
  type Fault,
  type Span,
  type Template,
  TemplateSyntaxError,
} from "../../interpolation/mod.ts";
import { RequestSyntaxError } from "../draft/mod.ts";

/** One pass over a source text: what its parts share, and where all that is wrong is gathered. */
export interface Reading {
  readonly source: string;
  /** Notes that something is wrong and lets the reading go on. */
  report(span: Span, message: string, hint: string): void;
  /**
   * Parses a stretch of the source as a template; its faults are gathered.
   *
   * @param text The source with blanks in the place of comments.
   */
  template(span: Span, text?: string): Template;
  /** The error of all that was gathered, if anything was. */
  failure(): RequestSyntaxError | TemplateSyntaxError | undefined;
}

/** Begins a pass over a source text. */
export function startReading(source: string): Reading {
  const faults: Fault[] = [];
  const tell = createFaultReporter(source, faults);
  let requestFaults = 0;
  return {
    source,
    report(span, message, hint) {
      requestFaults++;
      tell(span, message, hint);
    },
    template: (span, text = source) => collectTemplate(text, span, faults),
    failure() {
      if (requestFaults > 0) return new RequestSyntaxError(source, faults);
      return faults.length > 0 ? new TemplateSyntaxError(source, faults) : undefined;
    },
  };
}
