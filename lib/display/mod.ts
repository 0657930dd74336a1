/**
 * What a person sees: values become blocks, and blocks become HTML, Markdown, JSON or plain text.
 * Every string in a block is raw. It is masked there, and every form escapes all of it, placeholders
 * included, so that nothing in an answer becomes markup or moves a terminal's cursor. How much is shown is bounded by {@link Limits}.
 * It does no input or output, knows no colours (they come in as a {@link Paint}) and depends on the
 * types of the client alone.
 */

export { maskAnswerText } from "./answer-body.ts";
export { type ArrivingAnswer, renderArrival } from "./arrival.ts";
export { type Beginning, createBeginning } from "./beginning.ts";
export {
  type Block,
  DEFAULT_LIMITS,
  formatBytes,
  type Limits,
  type StatusBlock,
} from "./blocks/mod.ts";
export { createRowReader, type RowReader } from "./bodies/mod.ts";
export {
  DISPLAY,
  type MarkupNode,
  type MarkupParser,
  type MarkupStretch,
  type MimeBundle,
  maskBlocks,
} from "./bundles/mod.ts";
export { type ErrorOptions, viewError } from "./error.ts";
export { viewExchange } from "./exchange.ts";
export { fence, type Paint, toMarkdown, toText } from "./formats/mod.ts";
export { type Part, showPart } from "./part.ts";
export { type RenderOptions, renderBundle, renderBundleAsync } from "./render.ts";
export { viewRich } from "./rich.ts";
export { showTable, type TableOptions } from "./table-of.ts";
export {
  cutToWidth,
  graphemes,
  graphemeWidth,
  type Inspect,
  textWidth,
  toVisibleJson,
  toVisibleLine,
  toVisibleText,
} from "./text/mod.ts";
export { bodyLength, isExchange } from "./value.ts";
