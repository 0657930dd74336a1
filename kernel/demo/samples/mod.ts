/**
 * Bodies of many media types to look at: text, tables, images, audio, a PDF.
 *
 * @module
 */

export { sampleRoutes } from "./sample-routes.ts";
