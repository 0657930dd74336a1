/**
 * Text for a screen: its width in columns, visible symbols for control characters, values as in a console.
 */

export { cellText, nameText, stringText } from "./cell-text.ts";
export { type Inspect, inspectPlainly } from "./inspect.ts";
export { traceOf } from "./trace.ts";
export { toVisibleJson, toVisibleLine, toVisibleText } from "./visible.ts";
export { cutToWidth, graphemes, graphemeWidth, padToWidth, textWidth } from "./width.ts";
export { wrapText } from "./wrap.ts";
