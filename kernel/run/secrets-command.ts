import { toVisibleLine } from "../../lib/display/mod.ts";
import { shorten } from "../../lib/interpolation/mod.ts";
import { type ParsedText, readText } from "../../lib/request/mod.ts";
import { type Platform, SecretPrograms } from "../platform/mod.ts";
import type { CommandOptions } from "../session/mod.ts";
import { type JoinedCells, joinCells, openClient } from "./check-command.ts";
import { findDocuments } from "./find-documents.ts";
import { readEntries } from "./read-document.ts";
import { EXIT } from "./run.ts";

/** What `restlab secrets` lists. */
export interface SecretsOptions extends CommandOptions {
  /** The documents, whose folders have the environments; none for the working folder. */
  readonly files: readonly string[];
  /** The variable whose secret is fetched. */
  readonly test?: string | undefined;
}

/**
 * `restlab secrets`: lists the references of environments and documents, and fetches one at most.
 *
 * @returns The exit status.
 */
export async function secretsCommand(options: SecretsOptions, platform: Platform): Promise<number> {
  const { stdout, stderr, environment, directory } = platform;
  const secretPrograms = new SecretPrograms({ environment });
  const { where } = secretPrograms.in(directory);
  const files = options.files.length === 0 ? [undefined] : await findDocuments(options.files);
  let count = 0;
  try {
    for (const file of files) {
      const cells = joinCells(file === undefined ? [] : await readEntries(file, platform));
      const client = await openClient(file ?? "./", cells, options, {
        ...platform,
        secretPrograms,
      });
      await client.sendAll(onlyLines(readText(cells.text)));
      for (const { name, reference: text, scheme, place } of client.namedSecrets()) {
        if (options.test !== undefined && options.test !== name) continue;
        count += 1;
        const at = file === undefined ? place : `${file}: ${placeIn(cells, place)}`;
        const program = await where({ scheme, path: text.slice(`${scheme}://`.length), text });
        const shown = [name, shorten(text, 200), at, program].join("  ");
        stdout.write(`${toVisibleLine(shown)}\n`);
        if (options.test === undefined) continue;
        const value = await client.fetchVar(name);
        stdout.write(`${name} has ${String(value).length} characters\n`);
        return EXIT.ok;
      }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    stderr.write(`restlab: ${toVisibleLine(error.message)}\n`);
    return error.name === "SecretError" ? EXIT.cellFailed : EXIT.usage;
  }
  if (options.test !== undefined && count === 0) {
    stderr.write(`restlab: "${toVisibleLine(options.test)}" names no secret by a reference\n`);
    return EXIT.usage;
  }
  if (count === 0) stderr.write("No variable names a secret by a reference\n");
  return EXIT.ok;
}

/** The variable lines of a text that have no placeholder, as those of references: nothing is sent or asked for. */
function onlyLines(text: ParsedText): ParsedText {
  const statements = text.statements.filter(
    (one) => one.kind === "assignment" && one.value.parts.every((part) => typeof part === "string"),
  );
  return { ...text, statements, failure: undefined };
}

/** Where a variable is set; a line of the joined text is one of a cell. */
function placeIn({ locate }: JoinedCells, place: string): string {
  return place.replace(/^line (\d+)$/, (_, joined: string) => {
    const { cell, line } = locate(Number(joined));
    return cell === undefined ? `line ${line}` : `cell ${cell}, line ${line}`;
  });
}
