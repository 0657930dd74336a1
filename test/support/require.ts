import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";

/** What some tests need beyond npm. */
export type Tool =
  | "browser"
  | "bru"
  | "bundlers"
  | "curl"
  | "httpie"
  | "httpyac"
  | "jupyter"
  | "jupyterlab"
  | "newman"
  | "node22"
  | "node24"
  | "pass"
  | "secret-tool";

const NODES = resolve(import.meta.dirname, "../node-versions/node_modules");

/** What some tests need beyond `npm ci`: where Debian puts it, and `npm ci --prefix` in folders of the tests. */
export const TOOLS: Readonly<Record<Tool, string>> = {
  browser: "/usr/bin/chromium",
  bru: resolve(import.meta.dirname, "../peers/node_modules/.bin/bru"),
  bundlers: resolve(import.meta.dirname, "../projects/node_modules/.bin/esbuild"),
  curl: "/usr/bin/curl",
  httpie: "/usr/bin/http",
  httpyac: resolve(import.meta.dirname, "../peers/node_modules/.bin/httpyac"),
  jupyter: "/usr/bin/jupyter",
  jupyterlab: process.env["RESTLAB_JUPYTERLAB"] ?? "/usr/bin/jupyter-lab",
  newman: resolve(import.meta.dirname, "../peers/node_modules/newman/bin/newman.js"),
  node22: `${NODES}/node22/bin/node`,
  node24: `${NODES}/node24/bin/node`,
  pass: "/usr/bin/pass",
  "secret-tool": "/usr/bin/secret-tool",
};

/**
 * Says whether all of these are here. What is missing is printed with the tests that are skipped
 * for it, and is an error where `RESTLAB_REQUIRE`, a list such as `browser,jupyter`, names it.
 */
export function hasTools(...tools: readonly Tool[]): boolean {
  const missing = tools.filter((tool) => !isExecutable(TOOLS[tool]));
  if (missing.length === 0) return true;
  const required = (process.env["RESTLAB_REQUIRE"] ?? "").split(",");
  const names = missing.map((tool) => `${tool} (${TOOLS[tool]})`).join(", ");
  if (missing.some((tool) => required.includes(tool))) {
    throw new Error(`Cannot run the tests that RESTLAB_REQUIRE asks for: there is no ${names}`);
  }
  console.warn(`Skipped: there is no ${names}`);
  return false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
