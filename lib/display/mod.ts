/**
 * Displays values: they become blocks, and blocks become HTML, Markdown, JSON or plain text. Strings in
 * blocks are masked and raw: every format escapes all of them, so that nothing in a response becomes
 * markup or acts on a terminal. {@link Limits} bound how much is shown. Nothing is read
 * or written, and colours are passed in as a {@link Paint}.
 */

export { maskAnswerText } from "./answer-body.ts";
export { viewResults } from "./assertion-results.ts";
export { type Block, type Cell, type StatusBlock, withoutFolds } from "./block.ts";
export type { MimeBundle } from "./bundle-of.ts";
export { stringText } from "./cell.ts";
export { compactJson } from "./compact.ts";
export { createDisplayable, type Displayable, html, type Markup, svg } from "./displayable.ts";
export { type ErrorOptions, isForeignFrame } from "./error.ts";
export { escapeHtml, fence } from "./escape.ts";
export { describeSaved, viewExchange } from "./exchange.ts";
export type { Paint } from "./form.ts";
export { withHistoryView } from "./history.ts";
export { ArrivingResponse, renderWaiting } from "./in-progress.ts";
export { indentJson } from "./json-view.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { showPart, showRest } from "./part.ts";
export {
  type Inspect,
  inspectSafely,
  type RenderOptions,
  renderBundle,
  renderBundleAsync,
} from "./render.ts";
export { displayMethod, failing, settleDisplay, viewRich } from "./show-itself.ts";
export { createRowReader } from "./stream-view.ts";
export { isShortList } from "./structure.ts";
export { showTable, withRowsView } from "./table.ts";
export { toText } from "./text.ts";
export { looksLikeBundle, toBundle } from "./to-bundle.ts";
export { formatBytes, formatMilliseconds, formatWaiting } from "./units.ts";
export { bodyLength, isExchange } from "./value.ts";
export { createView } from "./view.ts";
export { toVisibleJson, toVisibleLine, toVisibleText } from "./visible.ts";
export { cutToWidth, graphemes, graphemeWidth, textWidth, wrapText } from "./width.ts";
