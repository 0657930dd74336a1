/**
 * Bodies on their way out: form fields and multipart as the standards encode them, a query, files
 * that are streamed instead of being read, compression. Web standards alone; it depends on nothing
 * of ours, opens no file (a function that does is handed in) and sends nothing.
 */

export { type Compression, compressBody, isCompression } from "./compress.ts";
export { encodeFields, type Fields, type FieldValue, withQuery } from "./fields.ts";
export {
  createBoundary,
  encodeMultipart,
  type MultipartInput,
  type MultipartValue,
} from "./multipart.ts";
export {
  BodyError,
  type BodySource,
  gatherPieces,
  isSource,
  isStreamed,
  type Piece,
  type StreamedBody,
} from "./pieces.ts";
