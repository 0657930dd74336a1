// Converts a file as a peer does: node import-contender.mjs NAME FILE
import { readFileSync, writeFileSync } from "node:fs";

const [name, file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const write = (value) => writeFileSync(`${file}.${name}`, JSON.stringify(value, null, 2));
if (name === "openapi-to-postmanv2") {
  const { default: converter } = await import("openapi-to-postmanv2");
  converter.convertV2(
    { type: "string", data: text },
    {},
    (error, { result, output, reason } = {}) => {
      if (error || !result) throw error ?? new Error(reason);
      write(output[0].data);
    },
  );
} else {
  // The package's ES module imports packages in ways that Node does not resolve.
  const { createRequire } = await import("node:module");
  const converters = createRequire(import.meta.url)("@usebruno/converters");
  write(await converters[name](JSON.parse(text)));
}
