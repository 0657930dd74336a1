import {
  collectTemplate,
  createFaultReporter,
  type Fault,
  type SourceText,
  type Span,
  type Template,
  TemplateSyntaxError,
} from "../../../interpolation/mod.ts";
import { type Remark, RequestSyntaxError } from "../../draft/mod.ts";
import { type Block, createBlockFinder } from "./block.ts";

/** The source text of one parse, and the faults found in it. */
export interface Parser extends SourceText {
  /** Records a fault; parsing continues. */
  report(span: Span, message: string, hint: string): void;
  /** Records what is doubtful about the request that is being parsed. */
  remark(code: Remark["code"], span: Span, message: string, hint?: string): void;
  /** The remarks since the last call. */
  takeRemarks(): readonly Remark[];
  /** Finds the end of the block of an offset, for a request whose line has an indentation. */
  blockAt(start: number, indent: number): Block;
  /** Parses a span of the source as a template and records its faults. */
  template(span: Span): Template;
  /** The error with all faults, if there are any. */
  failure(): RequestSyntaxError | TemplateSyntaxError | undefined;
}

export function createParser({ source, firstLine }: SourceText): Parser {
  const text = { source, firstLine };
  const faults: Fault[] = [];
  const addFault = createFaultReporter(text, faults);
  let requestFaults = 0;
  let remarks: Remark[] = [];
  return {
    ...text,
    report(span, message, hint) {
      requestFaults++;
      addFault(span, message, hint);
    },
    remark(code, span, message, hint) {
      remarks.push({ code, message, ...(hint === undefined ? {} : { hint }), span });
    },
    takeRemarks() {
      const taken = remarks;
      remarks = [];
      return taken;
    },
    blockAt: createBlockFinder(source),
    template: (span) => collectTemplate(text, span, faults),
    failure() {
      if (requestFaults > 0) return new RequestSyntaxError(source, faults);
      return faults.length > 0 ? new TemplateSyntaxError(source, faults) : undefined;
    },
  };
}
