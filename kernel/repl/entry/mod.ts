/**
 * What was typed: its language, whether it is complete, and the entries of a text with several.
 *
 * @module
 */

export { commandOfBareWord, declaresBareWord, nameToExplain } from "./bare-word.ts";
export { continuesEntry } from "./continuation.ts";
export { type Entry, EntryReader, splitEntries, type TextSource } from "./entry-reader.ts";
export { type AskStatus, type Input, kindOfInput, type Language, languageOf } from "./input.ts";
export { explainLateHeader } from "./late-header.ts";
export { readSubmission, type Submission } from "./submission.ts";
