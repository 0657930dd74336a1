/**
 * Blocks, the conversion of values to cells, tables and fields, and the limits of what is shown. Strings in
 * blocks are raw.
 */

export type {
  Block,
  Cell,
  CellType,
  ErrorBlock,
  Field,
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
export { isScalar, shortCell, toCell, toTextCell } from "./cell.ts";
export { type Column, findColumn, type Row, valueAt } from "./columns.ts";
export { compactJson, cutText, dateText, titleOf } from "./compact.ts";
export { isNumberText, isPlainObject, tagOf } from "./kinds.ts";
export { DEFAULT_LIMITS, type Limits, shorten } from "./limits.ts";
export { maskFault } from "./mask-fault.ts";
export { classNameOf, opaqueText } from "./opaque.ts";
export { bodyPath, NO_ORIGIN, type Origin, stepInto } from "./origin.ts";
export { isShortList, viewStructure } from "./structure.ts";
export { type TablePlan, viewTable } from "./table.ts";
export {
  formatBytes,
  formatCount,
  formatMilliseconds,
  formatWaiting,
  groupDigits,
} from "./units.ts";
export {
  createMasker,
  createViewContext,
  forData,
  HIDDEN,
  type Hidden,
  type Masker,
  maxText,
  type Redactor,
  SHOW_SECRETS,
  UNREDACTED,
  type ViewContext,
} from "./view-context.ts";
export { REVEALED_NOTE, viewOrNote } from "./view-or-note.ts";
