/**
 * What was typed: a command, a request, TypeScript, and whether it is complete.
 */

export { commandOfBareWord, namesBareWord } from "./bare-word.ts";
export { isEntryComplete, languageOf, normalizeEntry } from "./entry.ts";
