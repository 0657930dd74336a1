import { type CurlCommand, parseCommand } from "../../lib/curl/mod.ts";
import { type CollectionBuilder, ImportError, type ImportedRequest } from "./collection.ts";
import { commandRequest } from "./read-curl.ts";
import { OWN_HEADER } from "./read-har.ts";
import type { ReadContent, Source } from "./readers.ts";

/** Whether a text begins with what "Copy as fetch" of a browser writes. */
export function isCopiedFetch(text: string): boolean {
  return /^\s*(?:await[ \t]+)?fetch\(/.test(text);
}

/** Whether a text begins with what "Copy as PowerShell" of a browser writes. */
export function isCopiedPowerShell(text: string): boolean {
  return /^\s*(?:Invoke-WebRequest\s+-|\$session\s*=\s*New-Object\s)/i.test(text);
}

/** The beginnings of commands; a text of one has no line breaks, or not with this behind it. */
const START =
  /^[ \t]*(?:(?:await[ \t]+)?fetch\(|Invoke-WebRequest\s+-|\$session\s*=\s*New-Object\s).*$/gim;

/**
 * Reads the calls of `fetch` and the commands of PowerShell that the menu of a browser copies, without the headers that
 * a client sets by itself.
 *
 * @throws {ImportError} None of them can be read.
 */
export function readBrowserCopy({ text, name }: Source, builder: CollectionBuilder): ReadContent {
  // "Copy all" ends each call twice.
  const source = text.replace(/^\uFEFF/, "").replace(/\); ;(?=\r?\n|$)/g, ");");
  const items: ImportedRequest[] = [];
  let [line, at] = [1, 0];
  let problem: string | undefined;
  START.lastIndex = 0;
  for (let found = START.exec(source); found !== null; found = START.exec(source)) {
    line += source.slice(at, found.index).split("\n").length - 1;
    at = found.index;
    const where = `line ${line}`;
    const faults: string[] = [];
    const { command, next } = parseCommand(source, at, found[0], (_span, message) =>
      faults.push(message),
    );
    if (command !== undefined) items.push(toRequest(command, where, builder));
    else {
      const [message = "The command cannot be read"] = faults;
      builder.remark("left out", where, message);
      problem ??= `${where}: ${message}`;
    }
    START.lastIndex = Math.max(next, at + 1);
  }
  if (items.length === 0) {
    throw new ImportError(`Reading "${name}" failed: ${problem ?? "it has no command"}`);
  }
  return { name: "Copied requests", items };
}

function toRequest(
  command: CurlCommand,
  where: string,
  builder: CollectionBuilder,
): ImportedRequest {
  const headers = command.headers.filter(([name]) => !OWN_HEADER.test(name));
  return commandRequest({ ...command, headers }, where, [], builder, (text) => [text]);
}
