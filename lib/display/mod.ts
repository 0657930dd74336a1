/**
 * Displays values: they become blocks, and blocks become HTML, Markdown, JSON or plain text. Strings in
 * blocks are raw. They are masked there, and every format escapes all of them, so that nothing in a
 * response becomes markup or acts on a terminal. {@link Limits} bound how much is shown. Nothing is read
 * or written, and colours are passed in as a {@link Paint}.
 */

export { maskAnswerText } from "./answer-body.ts";
export {
  type Block,
  type Cell,
  compactJson,
  DEFAULT_LIMITS,
  formatBytes,
  formatWaiting,
  isShortList,
  type Limits,
  type StatusBlock,
} from "./blocks/mod.ts";
export { createRowReader, type RowReader } from "./bodies/mod.ts";
export { type BodyPreview, createBodyPreview } from "./body-preview.ts";
export {
  looksLikeBundle,
  type MimeBundle,
  maskBlocks,
  toBundle,
} from "./bundles/mod.ts";
export { viewResults } from "./details/mod.ts";
export { createDisplayable, type Displayable, html, type Markup, svg } from "./displayable.ts";
export { type ErrorOptions, viewError } from "./error.ts";
export { viewExchange } from "./exchange.ts";
export { escapeHtml, fence, type Paint, toMarkdown, toText } from "./formats/mod.ts";
export { withHistoryView } from "./history.ts";
export { indentJson } from "./json-preview/mod.ts";
export { type Part, showPart } from "./part.ts";
export { type RenderOptions, renderBundle, renderBundleAsync } from "./render.ts";
export {
  type ResponseInProgress,
  renderInProgress,
  renderWaiting,
} from "./response-in-progress.ts";
export { viewRich } from "./rich.ts";
export { displayMethod, failing, settleDisplay } from "./show-itself.ts";
export { showTable, type TableOptions, withRowsView } from "./table-of.ts";
export {
  cutToWidth,
  graphemes,
  graphemeWidth,
  type Inspect,
  stringText,
  textWidth,
  toVisibleJson,
  toVisibleLine,
  toVisibleText,
  wrapText,
} from "./text/mod.ts";
export { bodyLength, isExchange } from "./value.ts";
export { createView } from "./view.ts";
