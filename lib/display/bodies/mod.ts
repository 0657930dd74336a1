/**
 * Displays bodies by their media type: JSON, JSON Lines, separated values, forms, multipart, media, bytes,
 * text.
 */

export { type Body, shownText } from "./body.ts";
export { holdSecret, toBase64, toHexDump } from "./bytes.ts";
export { WHOLE } from "./json-body.ts";
export { viewJson } from "./json-view.ts";
export { viewJsonSource } from "./source.ts";
export { createRowReader, type RowReader, viewStreamEnds } from "./stream-view.ts";
export { rowsOfBody, type TableRows, toRows } from "./table-rows.ts";
export { viewText } from "./text-view.ts";
export { viewBinary, viewBody } from "./view-body.ts";
