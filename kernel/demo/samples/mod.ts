/**
 * Bodies of many media types to look at: a picture, a drawing, a sound, a document, as files.
 */

export { sampleRoutes } from "./sample-routes.ts";
