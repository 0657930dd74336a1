import { readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { nearNames } from "../../../lib/interpolation/mod.ts";

/**
 * Says what to do about an `import` that cannot be resolved.
 *
 * @param name What is imported, as it is written.
 * @param directory The folder that the import starts from, absolute.
 * @example
 * explainMissing("lodash/fp", "/lab");
 * // 'Cannot find the package "lodash": run "npm install lodash" in /lab'
 */
export function explainMissing(name: string, directory: string): string {
  const [, scheme = ""] = /^([a-z][a-z+.-]+):/i.exec(name) ?? [];
  if (/^\.{0,2}\//.test(name) || name === "." || name === "..") return missingFile(name, directory);
  const known = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  const explain = known ?? (scheme === "" ? missingPackage : foreignScheme);
  return explain(name, directory);
}

const SCHEMES: Readonly<Record<string, (name: string, directory: string) => string>> = {
  node: (name) => {
    const known = builtinModules.filter((module) => !module.startsWith("_"));
    const [near] = nearNames(name.slice("node:".length), known, 1);
    return `There is no built-in module "${name}"${near === undefined ? "" : `: did you mean "node:${near}"`}`;
  },
  npm: (name, directory) => {
    const bare = name.slice("npm:".length).replace(/^(@?[^@]+)@[^/]*/, "$1");
    return `Cannot import "${name}": cells import from node_modules; write "${bare}", and run "npm install ${packageOf(bare)}" in ${directory} if it is missing`;
  },
};

const foreignScheme = (name: string): string =>
  `Cannot import "${name}": cells import packages of node_modules, node: modules and local files`;

function missingPackage(name: string, directory: string): string {
  const needed = packageOf(name);
  return `Cannot find the package "${needed}": run "npm install ${needed}" in ${directory}`;
}

/** A package's name is one word, or two after an `@`. */
function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function missingFile(name: string, directory: string): string {
  const path = resolve(directory, name);
  const [near] = nearNames(basename(path), filesOf(dirname(path)), 1);
  const written = near === undefined ? "" : `${name.slice(0, name.lastIndexOf("/") + 1)}${near}`;
  return `Cannot find the file "${name}" from ${directory}${near === undefined ? "" : `: did you mean "${written}"`}`;
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.([cm]?[jt]sx?|json)$/.test(name));
  } catch {
    return []; // The folder does not exist either.
  }
}
