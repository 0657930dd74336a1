// What programs for browsers download of the built package, minified and compressed, as esbuild divides it.
//
//   npm ci --prefix test/projects   (once: esbuild)
//   npm run build && node test/bench/sizes.mjs
//
// `first` is what has been loaded before a program runs; `all` has what it may load later as well.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { build } = createRequire(`${root}test/projects/`)("esbuild");

const PROGRAMS = {
  version: 'import { version } from "restlab"; console.log(version);',
  interpolate: 'import { interpolate } from "restlab/interpolate"; console.log(interpolate);',
  parse: 'import { parseRequests } from "restlab/parse"; console.log(parseRequests);',
  page: readFileSync(`${root}test/projects/page.js`, "utf8"),
};

console.log(
  `${"".padEnd(12)}${["first", "gzip", "all", "gzip"].map((it) => it.padStart(9)).join("")}`,
);
for (const [name, contents] of Object.entries(PROGRAMS)) {
  const sizes = await measure(contents);
  console.log(name.padEnd(12) + sizes.map((size) => String(size).padStart(9)).join(""));
}

async function measure(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, sourcefile: "program.js" },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    outdir: "out",
    write: false,
    metafile: true,
    logLevel: "error",
    legalComments: "none",
  });
  const outputs = Object.entries(metafile.outputs);
  const files = new Map(outputs.map(([path], index) => [path, outputFiles[index].contents]));
  const [entry] = outputs.find(([, { entryPoint }]) => entryPoint === "program.js");
  const reachable = (...kinds) => {
    const found = new Set([entry]);
    // What is added while this runs is looked at as well.
    for (const path of found) {
      for (const { kind, path: imported } of metafile.outputs[path].imports)
        if (kinds.includes(kind)) found.add(imported);
    }
    return Array.from(found, (path) => files.get(path));
  };
  const first = reachable("import-statement");
  const all = reachable("import-statement", "dynamic-import");
  const sizes = [({ length }) => length, (bytes) => gzipSync(bytes).length];
  return [first, all].flatMap((some) =>
    sizes.map((size) => some.reduce((sum, bytes) => sum + size(bytes), 0)),
  );
}
