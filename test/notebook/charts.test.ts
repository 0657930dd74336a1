import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseIpynb } from "../../kernel/run/read-document.ts";
import { restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { checkNotebook } from "./check-notebook.ts";
import { notebook } from "./notebook.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");
const VEGA = "application/vnd.vegalite.v5+json";
const PLOTLY = "application/vnd.plotly.v1+json";

/** The blocks below the words of the page that introduce them. */
function pageCells(): readonly string[] {
  const page = readFileSync(join(FOLDER, "reference-display.md"), "utf8");
  const section = page.slice(page.indexOf("A chart of an answer"));
  const blocks = [...section.matchAll(/^```typescript\n([\s\S]*?)^```/gm)];
  return blocks.slice(0, 2).map(([, code = ""]) => code.trim());
}

function galleryCells(): readonly string[] {
  const { cells } = parseIpynb(readFileSync(join(FOLDER, "gallery.ipynb"), "utf8"), "gallery");
  return ["chart", "chart-vega"].map((id) => cells.find((cell) => cell.id === id)?.source ?? "");
}

describe.each([
  ["the page", pageCells, [VEGA, PLOTLY]],
  ["the gallery", galleryCells, [VEGA]],
] as const)("a chart of an answer, as %s draws it", (_name, cells, mediaTypes) => {
  let svg = "";
  let charts: readonly Readonly<Record<string, unknown>>[] = [];
  beforeAll(async () => {
    const cwd = makeFolder("charts");
    writeFileSync(join(cwd, "charts.ipynb"), notebook(...cells()));
    const { status, stderr } = await restlab(
      "node",
      ["run", "--demo", "-o", "out.ipynb", "charts.ipynb"],
      {
        cwd,
      },
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining("2 cells run")]);
    const written = checkNotebook(readFileSync(join(cwd, "out.ipynb"), "utf8"));
    const [first = [], second = []] = written.map(({ outputs = [] }) =>
      outputs.map(({ data }) => data as Readonly<Record<string, unknown>>),
    );
    svg = [first[0]?.["text/html"]].flat().join("");
    charts = second;
  });

  test("is an SVG with a bar for each role", () => {
    expect(svg).toMatch(/^<svg role="img" aria-label="Users by role"/);
    expect(svg.match(/<rect /g)?.length).toBeGreaterThan(1);
    for (const role of ["admin", "editor"]) expect(svg).toMatch(new RegExp(`>${role}</text>`));
  });

  test("is a bundle with the specification that front ends draw, and a text", () => {
    expect(charts.map((bundle) => Object.keys(bundle).filter((type) => /vnd/.test(type)))).toEqual(
      mediaTypes.map((type) => [type]),
    );
    const drawn = charts[0]?.[VEGA] as { data: { values: readonly object[] } };
    expect(drawn.data.values).toContainEqual({ role: "admin", users: expect.any(Number) });
    expect([charts[0]?.["text/plain"]].flat().join("")).toMatch(
      /^Vega-Lite chart.*bar of role, users\n/,
    );
  });
});
