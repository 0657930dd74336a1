import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ended, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";

const page = readFileSync(join(import.meta.dirname, "../../notebooks/reference-verify.md"), "utf8");

function blocks(language: string): readonly string[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"));
  return [...found].map(([, text = ""]) => text);
}

const DESCRIPTION = `openapi: 3.1.0
paths:
  /users: { get: { responses: { "200": { description: users } } } }
  /users/{id}: { get: { responses: { "200": { description: a user } } } }
  /status/{code}: { get: { responses: { "200": { description: a status } } } }
`;

describe("notebooks/reference-verify.md", () => {
  test("its commands do what it says", async () => {
    const folder = makeFolder("verify-page");
    const [file = ""] = blocks("http");
    writeFileSync(join(folder, "users.http"), file);
    writeFileSync(join(folder, "users.yaml"), DESCRIPTION);
    const ended: Ended[] = [];
    for (const line of blocks("console").flatMap((text) => text.trim().split("\n"))) {
      const [program, ...args] = line.split(" ");
      expect(program).toBe("restlab");
      ended.push(await restlab("node", args, { cwd: folder }));
    }
    expect(ended.map(({ status }) => status)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
    const shown = (ended[2]?.stdout ?? "").replace(/127\.0\.0\.1:\d+/g, "…");
    const rows = (text: string): readonly string[] =>
      text.match(/^(?:same|drifted) .*$/gm)?.map((row) => row.replace(/\s+/g, " ").trim()) ?? [];
    expect(rows(shown)).toEqual(rows(blocks("text")[0] ?? ""));
    const report = JSON.parse(readFileSync(join(folder, "users.json"), "utf8"));
    expect(report.counts).toMatchObject({ same: 3 });
  });
});
