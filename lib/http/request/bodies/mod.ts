/** Bodies: form fields, multipart forms, compression, and files that are streamed while they are sent. */

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
  isSource,
  isStreamed,
  joinPieces,
  type Piece,
  type StreamedBody,
} from "./pieces.ts";
