import { Buffer } from "node:buffer";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { readAsset } from "../../platform/mod.ts";
import { KERNEL_VERSION } from "../mod.ts";
import { makeOwnFolder, type Permissions, writeOwnFile } from "./folders.ts";

const MODE = new URL("./front-ends/request-mode.js", import.meta.url);
const CLASSIC = new URL("./front-ends/classic-notebook.js", import.meta.url);
const LAB = new URL("./front-ends/lab-extension.js", import.meta.url);
const VSCODE = new URL("./vscode/extension.js", import.meta.url);
const VSCODE_MANIFEST = new URL("./vscode/extension.json", import.meta.url);
const VSCODE_GRAMMAR = new URL("./vscode/http.tmLanguage.json", import.meta.url);
const VSCODE_LANGUAGE = new URL("./vscode/language-configuration.json", import.meta.url);

/** The files that make front ends highlight request cells. */
interface FrontEndFiles {
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

/**
 * Writes files into a ZIP archive, uncompressed and without a date, so that the same files are the same archive.
 *
 * @param files The contents by path, in ASCII.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
function zip(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const bodies: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path, "ascii");
    const common = header(name, content);
    const local = Buffer.concat([words("504b0304"), common, name, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([words("504b01021400"), common, tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  words("504b0506").copy(end);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, directory, end]);
}

/** What the local header of a file and its entry in the directory have in common. */
function header(name: Buffer, content: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  // The first of January 1980, the earliest date.
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function words(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
