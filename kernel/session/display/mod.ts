/**
 * The global `display` of TypeScript cells: values, markup, images and charts, also of displays that take
 * a while, in the order in which they are given.
 */

export { createDisplay, DISPLAY_TYPES, DisplayHandle } from "./display.ts";
export { displaysOf } from "./display-queue.ts";
