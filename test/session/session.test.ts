import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { rolldown } from "rolldown";
import { afterAll } from "vitest";
import { runSessionContract } from "./run-session-contract.ts";

/** Node 20 does not read TypeScript: the fixture is bundled as the package is. */
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const external = new RegExp(`^(node:|(${Object.keys(dependencies).join("|")})(/|$))`);
const folder = mkdtempSync(join("node_modules", ".restlab-session-"));
let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: "test/session/session-fixture.ts",
    platform: "node",
    external,
  });
  await build.write({ dir: folder, format: "esm" });
  return join(folder, "session-fixture.js");
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

runSessionContract("Node", async () => {
  bundled ??= bundle();
  return [process.execPath, await bundled];
});
