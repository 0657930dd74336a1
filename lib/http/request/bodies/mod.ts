/**
 * Bodies made of parts or compressed: multipart forms, form fields, streamed files. Pieces are read while
 * they are sent.
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
