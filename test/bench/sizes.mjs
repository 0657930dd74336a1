// What programs for browsers download of the built package, minified and compressed, as rolldown and so Vite divide it.
//
//   npm run build && node test/bench/sizes.mjs
//
// `first` is what has been loaded before a program runs; `all` has what it may load later as well.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));

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

async function measure(code) {
  const input = `${root}program.js`;
  const program = {
    name: "program",
    resolveId: (id) => (id === input ? id : undefined),
    load: (id) => (id === input ? code : undefined),
  };
  const bundle = await rolldown({ input, cwd: root, platform: "browser", plugins: [program] });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const reachable = (importsOf) => {
    const found = new Set([output.find(({ isEntry }) => isEntry).fileName]);
    // What is added while this runs is looked at as well.
    for (const name of found) for (const other of importsOf(chunks.get(name))) found.add(other);
    return Array.from(found, (name) => Buffer.from(chunks.get(name).code));
  };
  const first = reachable(({ imports }) => imports);
  const all = reachable(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const sizes = [({ length }) => length, (bytes) => gzipSync(bytes).length];
  return [first, all].flatMap((some) =>
    sizes.map((size) => some.reduce((sum, bytes) => sum + size(bytes), 0)),
  );
}
