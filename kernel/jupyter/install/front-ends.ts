import { rmSync } from "node:fs";
import { join } from "node:path";
import { readAsset } from "../../platform/mod.ts";
import { KERNEL_VERSION } from "../kernel/mod.ts";
import { makeOwnFolder, type Permissions, writeOwnFile } from "./own-files.ts";
import { zip } from "./zip.ts";

const MODE = new URL("./front-ends/request-mode.js", import.meta.url);
const CLASSIC = new URL("./front-ends/classic-notebook.js", import.meta.url);
const LAB = new URL("./front-ends/lab-extension.js", import.meta.url);
const VSCODE = new URL("./vscode/extension.js", import.meta.url);
const VSCODE_MANIFEST = new URL("./vscode/extension.json", import.meta.url);
const VSCODE_GRAMMAR = new URL("./vscode/http.tmLanguage.json", import.meta.url);
const VSCODE_LANGUAGE = new URL("./vscode/language-configuration.json", import.meta.url);

/** The files that make front ends highlight request cells. */
export interface FrontEndFiles {
  /** `kernel.js` of the kernel spec, for the classic Notebook. */
  readonly kernelScript: string;
  /** The extension of JupyterLab and Notebook 7. */
  readonly labScript: string;
  /** The extension of VS Code, as its command `code --install-extension` takes it. */
  readonly vsix: Uint8Array;
}

/** Reads the files. Front ends load scripts, not modules, so each becomes one script with the mode that all import. */
export async function readFrontEndFiles(): Promise<FrontEndFiles> {
  const [mode, classic, lab, vscode, manifest = ""] = await Promise.all(
    [MODE, CLASSIC, LAB, VSCODE, VSCODE_MANIFEST].map(readText),
  );
  const toScript = (module = ""): string => {
    const code = `${mode}\n${module}`.replace(/^import .*\n/gm, "").replace(/^export /gm, "");
    return `(() => {\n${code}})();\n`;
  };
  const vsix = zip({
    "extension/package.json": encode(
      JSON.stringify({ version: KERNEL_VERSION, ...JSON.parse(manifest) }, null, 2),
    ),
    "extension/extension.js": encode(toScript(vscode)),
    "extension/http.tmLanguage.json": await readAsset(VSCODE_GRAMMAR),
    "extension/language-configuration.json": await readAsset(VSCODE_LANGUAGE),
  });
  return { kernelScript: toScript(classic), labScript: toScript(lab), vsix };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function readText(file: URL): Promise<string> {
  return new TextDecoder().decode(await readAsset(file));
}

/**
 * Writes the extension of JupyterLab, as `jupyter labextension build` would.
 *
 * @param data A data folder of Jupyter.
 * @see https://jupyterlab.readthedocs.io/en/stable/extension/extension_dev.html#prebuilt-extensions
 */
export function writeLabExtension(
  data: string,
  { labScript }: FrontEndFiles,
  permissions: Permissions,
): void {
  removeLabExtension(data);
  const folder = labExtensionFolder(data);
  makeOwnFolder(join(folder, "static"), permissions);
  // The version in the name keeps browsers from using a former one.
  const script = `static/remoteEntry.${KERNEL_VERSION}.js`;
  const manifest = {
    name: "restlab",
    version: KERNEL_VERSION,
    description: "Highlights the request cells of restlab notebooks",
    license: "MIT",
    jupyterlab: { extension: true, _build: { load: script, extension: "./extension" } },
  };
  writeOwnFile(join(folder, script), labScript, permissions);
  const file = join(folder, "package.json");
  writeOwnFile(file, `${JSON.stringify(manifest, null, 2)}\n`, permissions);
}

/** Removes the extension of JupyterLab, if it is there. */
export function removeLabExtension(data: string): void {
  rmSync(labExtensionFolder(data), { recursive: true, force: true });
}

function labExtensionFolder(data: string): string {
  return join(data, "labextensions", "restlab");
}
