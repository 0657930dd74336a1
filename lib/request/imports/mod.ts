/**
 * Requests of other files: which files a text names, and the entries that it consists of with them. It reads no
 * file itself.
 */

export {
  type ExpandedText,
  type ExpandOptions,
  expandText,
} from "./expand.ts";
export { filesOf, resolvePath } from "./files.ts";
