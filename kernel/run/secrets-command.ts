import { toVisibleLine } from "../../lib/display/mod.ts";
import { shorten } from "../../lib/interpolation/mod.ts";
import type { NamedSecret } from "../../lib/mod.ts";
import { type Platform, SecretPrograms } from "../platform/mod.ts";
import type { CommandOptions } from "../session/mod.ts";
import { joinCells, openClient } from "./check-command.ts";
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

/** A line that sets a variable to what may be a reference. */
const LINE = /^\s*@[\w.-]+\s*=\s*[a-z][\w+.-]*:\/\/[^{}]*$/i;

/**
 * `restlab secrets`: lists the references of environments and documents, and fetches one at most.
 *
 * @returns The exit status.
 */
export async function secretsCommand(options: SecretsOptions, platform: Platform): Promise<number> {
  const { stdout, stderr, environment, directory } = platform;
  const secretPrograms = new SecretPrograms({ environment });
  const { program } = secretPrograms.in(directory);
  const where = async (secret: NamedSecret): Promise<string> => {
    const { scheme, reference: text } = secret;
    const path = text.slice(`${scheme}://`.length);
    try {
      const found = await program({ scheme, path, text });
      return found === undefined ? "a file" : (found.path ?? `${found.name} is not installed`);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const files = options.files.length === 0 ? [undefined] : await findDocuments(options.files);
  let isFound = false;
  let count = 0;
  try {
    for (const file of files) {
      const cells = joinCells(file === undefined ? [] : await readEntries(file, platform));
      const own = { ...platform, secretPrograms };
      const client = await openClient(file ?? "./", cells, options, own);
      // Other lines are left out, so that these keep their numbers.
      const lines = cells.text.split("\n").map((line) => (LINE.test(line) ? line : ""));
      await client.sendAll(lines.join("\n"));
      for (const secret of client.namedSecrets()) {
        const { name, reference } = secret;
        if (options.test !== undefined && options.test !== name) continue;
        count += 1;
        isFound = true;
        const place = file === undefined ? secret.place : `${file}: ${secret.place}`;
        const shown = [name, shorten(reference, 200), place, await where(secret)].join("  ");
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
  if (options.test !== undefined && !isFound) {
    stderr.write(`restlab: "${toVisibleLine(options.test)}" names no secret by a reference\n`);
    return EXIT.usage;
  }
  if (count === 0) stderr.write("No variable names a secret by a reference\n");
  return EXIT.ok;
}
