/**
 * What takes the whole terminal: the pager, an external editor, pictures.
 */

export { editExternally } from "./external-editor.ts";
export { createPager } from "./pager.ts";
export { drawPicture } from "./picture.ts";
