/**
 * Responses that are used while they arrive: the items of a stream, the file of a download.
 */

export {
  type DownloadOptions,
  type FileWriter,
  type OpenFileForWriting,
  saveBody,
} from "./download.ts";
export { openStream, type ResponseStream, type StreamOptions } from "./stream.ts";
