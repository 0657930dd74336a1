/**
 * The scripts of request files: the objects of JetBrains' handlers and of httpYac's expressions, and their code run
 * by the rules of TypeScript cells.
 */

export { createScriptHost, type ScriptHost } from "./script-host.ts";
