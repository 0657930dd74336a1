import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const within = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.(?:md|ipynb)$/.test(name))
    .map((name) => join(folder, name));

/** The text of a document that a person wrote: of a notebook, its Markdown cells. */
function textOf(file: string): string {
  const text = readFileSync(file, "utf8");
  if (!file.endsWith(".ipynb")) return text;
  const cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[] =
    JSON.parse(text).cells;
  return cells
    .filter(({ cell_type }) => cell_type === "markdown")
    .map(({ source }) => source.join(""))
    .join("\n");
}

describe.each([...within("."), ...within("notebooks")])("%s", (file) => {
  test("has relative links and images that exist", () => {
    const prose = textOf(file)
      .replace(/^( *)(`{3,})[\s\S]*?^\1\2/gm, "")
      .replace(/`[^`\n]*`/g, "");
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
      .map(([, link, attribute]) => (link ?? attribute ?? "").replace(/#.*/, ""))
      .filter((target) => target !== "" && !/^[a-z]+:/i.test(target));
    expect(targets.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
  });
});
