/**
 * The content of a body: decoding text by its charset, parsing JSON without losing digits, media types.
 */

export { fromBase64, holdSecret, toBase64, toBinary, toStrictText } from "./bytes.ts";
export { decodeText } from "./charset.ts";
export { type Content, createContent, join } from "./content.ts";
export { parseJson, parseWrittenJson, toPlainNumbers } from "./json.ts";
export { parseMediaType } from "./media-type.ts";
export { LOOKED_AT, ReceivedBody } from "./received-body.ts";
