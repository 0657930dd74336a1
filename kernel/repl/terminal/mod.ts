/**
 * The terminal: raw mode, keys, and what takes the whole terminal: the pager, an external editor,
 * images.
 *
 * @module
 */

export { editExternally } from "./external-editor.ts";
export { drawImage } from "./image.ts";
export type { Key } from "./key.ts";
export { createKeyboard, type Keyboard } from "./keyboard.ts";
export { createPager } from "./pager.ts";
export { openTerminal, type Terminal } from "./terminal.ts";
