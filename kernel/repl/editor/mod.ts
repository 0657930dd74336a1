/**
 * The line editor: keys to edits, edits to state, state to rows. Reading keys and drawing rows are its only
 * effects.
 */

export { highlight, type Language } from "./highlight.ts";
export { createKeyDecoder } from "./key.ts";
export {
  type Answer,
  type Asked,
  createLineEditor,
  type LineEditor,
  type LineEditorOptions,
} from "./line-editor.ts";
export { createEditorPaint, paintText } from "./paint.ts";
export { openTerminal, type Terminal } from "./terminal.ts";
