/**
 * Displays values: they become blocks, and blocks become HTML, Markdown, JSON or plain text. Strings in
 * blocks are raw. They are masked there, and every format escapes all of them, so that nothing in a
 * response becomes markup or acts on a terminal. {@link Limits} bound how much is shown. Nothing is read
 * or written, and colours are passed in as a {@link Paint}.
 */

export { maskAnswerText } from "./answer-body.ts";
export type { Block, Cell, StatusBlock } from "./block.ts";
export { type BodyPreview, createBodyPreview } from "./body-preview.ts";
export { type MimeBundle, maskBlocks } from "./bundle-of.ts";
export { stringText } from "./cell.ts";
export { compactJson } from "./compact.ts";
export { createDisplayable, type Displayable, html, type Markup, svg } from "./displayable.ts";
export type { ErrorOptions } from "./error.ts";
export { escapeHtml, fence } from "./escape.ts";
export { viewExchange, viewResults } from "./exchange.ts";
export type { Paint } from "./form.ts";
export { withHistoryView } from "./history.ts";
export { type ResponseInProgress, renderInProgress, renderWaiting } from "./in-progress.ts";
export { indentJson } from "./indent-json.ts";
export type { Inspect } from "./inspect.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { showPart } from "./part.ts";
export { type RenderOptions, renderBundle, renderBundleAsync } from "./render.ts";
export { displayMethod, failing, settleDisplay, viewRich } from "./show-itself.ts";
export { createRowReader, type RowReader } from "./stream-view.ts";
export { isShortList } from "./structure.ts";
export { showTable, withRowsView } from "./table.ts";
export { toText } from "./text.ts";
export { looksLikeBundle, toBundle } from "./to-bundle.ts";
export { formatBytes, formatWaiting } from "./units.ts";
export { bodyLength, isExchange } from "./value.ts";
export { createView } from "./view.ts";
export { toVisibleJson, toVisibleLine, toVisibleText } from "./visible.ts";
export { cutToWidth, graphemes, graphemeWidth, textWidth, wrapText } from "./width.ts";
