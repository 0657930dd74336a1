/**
 * Text on a screen: its width in columns, characters that would act made visible, values as a console
 * shows them.
 */

export { type Inspect, inspectPlainly } from "./inspect.ts";
export { toVisibleJson, toVisibleLine, toVisibleText } from "./visible.ts";
export { cutToWidth, graphemes, graphemeWidth, padToWidth, textWidth } from "./width.ts";
