/**
 * Answers taken as they come: items of a stream, files of a download.
 */

export {
  type DownloadOptions,
  type FileWriter,
  type OpenFileForWriting,
  saveBody,
} from "./download.ts";
export { openStream, type ResponseStream, type StreamOptions } from "./stream.ts";
