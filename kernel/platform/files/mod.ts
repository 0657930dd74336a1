/**
 * Files: read within limits, replaced in one step, and the folders of restlab for the user.
 *
 * @module
 */

export { draftName } from "./draft-name.ts";
export { readingReason, writingReason } from "./error-reason.ts";
export { expectWritable } from "./expect-writable.ts";
export { foldersUpToRoot } from "./folders-up-to-root.ts";
export { makeFolder } from "./make-folder.ts";
export { type OpenedFile, openFile } from "./open-file.ts";
export { openFileForWriting } from "./open-file-for-writing.ts";
export { openGrowingFile } from "./open-growing-file.ts";
export { readAsset } from "./read-asset.ts";
export { type ReadOptions, readFile } from "./read-file.ts";
export { findHome, userFolder } from "./user-folder.ts";
export { writeFile } from "./write-file.ts";
