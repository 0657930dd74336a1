/**
 * What was typed: its language, whether it is complete, and the entries of a text with several.
 *
 * @module
 */

export {
  continuesEntry,
  EntryReader,
  explainLateHeader,
  readSubmission,
  type Submission,
  type TextSource,
} from "./entries.ts";
export {
  type AskStatus,
  commandOfBareWord,
  declaresBareWord,
  type Input,
  kindOfInput,
  type Language,
  languageOf,
  nameToExplain,
} from "./input.ts";
