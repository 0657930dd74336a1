/**
 * The line editor: keys change a state, and a state is laid out in rows. Only reading keys and writing
 * rows are effects.
 *
 * @module
 */

export { highlight } from "./highlight.ts";
export { LineEditor } from "./line-editor.ts";
export type { Answer, InputQuestion, LineReader, LineReaderOptions } from "./line-reader.ts";
export { createEditorPaint, paintText } from "./paint.ts";
export { Screens } from "./screens.ts";
export { openTerminal, setEcho, type Terminal } from "./terminal.ts";
