/**
 * The command line: words to a command with its options, usage errors, and the texts of `--help`. It imports only
 * types of the commands, so that `--help` loads none of them.
 */

export { type Command, parseArguments } from "./parse-arguments.ts";
