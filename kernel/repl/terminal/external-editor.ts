import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Lets a person write a text in `$VISUAL` or `$EDITOR`. The file is theirs alone and is gone
 * afterwards, whatever happens.
 *
 * @param text What the file begins with.
 * @param extension Tells the editor the language, for example `http`.
 * @returns What was saved.
 * @throws {Error} The editor cannot be run, or ended with a failure: nothing has changed then.
 */
export async function editExternally(
  text: string,
  extension: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const editor = environment["VISUAL"] || environment["EDITOR"] || "vi";
  const folder = await mkdtemp(join(tmpdir(), "restlab-"));
  const path = join(folder, `entry.${extension}`);
  try {
    await writeFile(path, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    const status = await run(editor, path);
    if (status !== 0) {
      throw new Error(
        `Editing failed: "${editor}" ${status === undefined ? "cannot be run" : `ended with status ${status}`}; $EDITOR names the editor`,
      );
    }
    return await readFile(path, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** $EDITOR may have arguments, and a path may have blanks: a shell knows both. */
async function run(editor: string, path: string): Promise<number | undefined> {
  const child = spawn(`${editor} "${path}"`, { shell: true, stdio: "inherit" });
  return await new Promise((resolve) => {
    child.on("error", () => resolve(undefined));
    child.on("close", (status) =>
      resolve(status === 127 || status === 126 ? undefined : (status ?? 1)),
    );
  });
}
