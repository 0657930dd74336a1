/**
 * What was typed: its language, and whether it is complete.
 *
 * @module
 */

export { commandOfBareWord, declaresBareWord } from "./bare-word.ts";
export { isEntryComplete, languageOf, normalizeEntry } from "./entry.ts";
