/**
 * What a person sees: values become blocks, and blocks become HTML, Markdown, JSON or plain text.
 * Every string in a block is raw. It is masked there, and every form escapes all of it, placeholders
 * included, so that nothing in an answer becomes markup or moves a terminal's cursor. How much is shown is bounded by {@link Limits}.
 * It does no input or output, knows no colours (they come in as a {@link Paint}) and depends on the
 * types of the client alone.
 */
export { type ArrivingAnswer, describeProgress, renderArrival } from "./arrival.ts";
export { type Beginning, createBeginning } from "./beginning.ts";
export type * from "./block.ts";
export { DISPLAY, type MimeBundle } from "./bundle.ts";
export { type ErrorOptions, isError, viewError } from "./error.ts";
export { fence } from "./escape-markdown.ts";
export { viewExchange } from "./exchange.ts";
export { toHtml } from "./html.ts";
export { type Inspect, inspectPlainly } from "./inspect.ts";
export { toJson } from "./json.ts";
export { createJsonHead, HEAD_LIMITS, type HeadLimits, type JsonHead } from "./json-head.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { toMarkdown } from "./markdown.ts";
export { maskBlocks } from "./mask-blocks.ts";
export type { MarkupNode, MarkupParser, MarkupStretch } from "./own-markup.ts";
export { type Paint, PLAIN_PAINT } from "./paint.ts";
export { type Part, showPart } from "./part.ts";
export { type RenderOptions, renderBundle, renderBundleAsync } from "./render.ts";
export { viewRich } from "./rich.ts";
export { createRowReader, type Row, type RowReader } from "./stream-view.ts";
export { showTable, type TableOptions } from "./table-of.ts";
export { type TextOptions, toText } from "./text.ts";
export { formatBytes } from "./units.ts";
export { bodyLength, isExchange } from "./value.ts";
export type { View, ViewOptions } from "./view.ts";
export { toVisibleJson, toVisibleLine, toVisibleText } from "./visible.ts";
export { cutToWidth, graphemes, graphemeWidth, textWidth } from "./width.ts";
