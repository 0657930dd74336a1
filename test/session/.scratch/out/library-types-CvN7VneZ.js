import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
// kernel/session/library-types.ts
/**
* Finds the declarations of the library: built ones, since the compiler under tslab does not read
* the sources. Without any, from JSR for example, cells see the library untyped.
*/
function findLibraryTypes() {
	if (!import.meta.url.startsWith("file:")) return void 0;
	let folder = dirname(fileURLToPath(import.meta.url));
	while (!isOurPackage(folder)) {
		const parent = dirname(folder);
		if (parent === folder) return void 0;
		folder = parent;
	}
	const path = join(folder, "dist", "lib", "mod.d.ts");
	return existsSync(path) ? path : void 0;
}
function isOurPackage(folder) {
	try {
		return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name === "restlab";
	} catch {
		return false;
	}
}
export { findLibraryTypes };
