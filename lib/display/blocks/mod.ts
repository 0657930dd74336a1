/**
 * What is to be seen as data: blocks, how values become cells, tables and structures of blocks, and how
 * much of each is shown. Every string in a block is raw.
 */

export type {
  Block,
  Cell,
  ErrorBlock,
  FieldsBlock,
  FoldBlock,
  FrameBlock,
  HeadersBlock,
  ImageBlock,
  MediaBlock,
  NoteBlock,
  RedirectBlock,
  RequestBlock,
  StatusBlock,
  TableBlock,
  TextBlock,
} from "./block.ts";
export { isScalar, toCell } from "./cell.ts";
export { type Column, findColumn, type Row, valueAt } from "./columns.ts";
export { compactJson, cutText, dateText } from "./compact.ts";
export { lookOrSay } from "./failure.ts";
export { isNumberText, isPlainObject, isRecord, tagOf } from "./kinds.ts";
export { DEFAULT_LIMITS, type Limits, shorten } from "./limits.ts";
export { maskFault } from "./mask-fault.ts";
export { bodyPath, NOWHERE, type Origin, stepInto } from "./origin.ts";
export { REVEALED_NOTE } from "./revealed-note.ts";
export { viewStructure } from "./structure.ts";
export { type TablePlan, viewTable } from "./table.ts";
export { formatBytes, formatCount, formatMilliseconds, groupDigits } from "./units.ts";
export {
  createMasker,
  createViewContext,
  forData,
  forMember,
  HIDDEN,
  type Hidden,
  type Masker,
  mostText,
  type Redactor,
  SHOW_SECRETS,
  UNREDACTED,
  type ViewContext,
} from "./view-context.ts";
