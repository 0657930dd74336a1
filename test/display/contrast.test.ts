import { describe, expect, it } from "vitest";
import { TOKEN_COLORS, TOKEN_MIX } from "../../lib/display/html.ts";
import { renderBundle, showTable } from "../../lib/display/mod.ts";
import { STATUS_CLASSES, sampleExchange } from "./sample.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** Text and background of the pages that outputs are read on. */
const PAGES: readonly (readonly [page: string, text: string, background: string])[] = [
  ["classic Notebook", "#000000", "#ffffff"],
  ["JupyterLab, light", "#212121", "#ffffff"],
  ["JupyterLab, dark", "#e0e0e0", "#111111"],
  ["VS Code, light", "#3b3b3b", "#f8f8f8"],
  ["VS Code, dark", "#cccccc", "#1f1f1f"],
  ["GitHub, light", "#1f2328", "#ffffff"],
  ["GitHub, dark", "#f0f6fc", "#0d1117"],
  ["a striped row of the classic Notebook", "#000000", "#f5f5f5"],
  ["a striped row of JupyterLab, light", "#212121", "#f5f5f5"],
  ["a striped row of JupyterLab, dark", "#e0e0e0", "#212121"],
  ["a row of JupyterLab under the mouse, dark", "#e0e0e0", "#0d3d54"],
];

const AA = 4.5;

function parse(hex: string): Colour {
  const digits = hex.length === 4 ? hex.replace(/[\da-f]/gi, "$&$&") : hex;
  const value = Number.parseInt(digits.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Colour, b: Colour): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** What `color-mix(in srgb, …)` makes. */
function mix(a: Colour, b: Colour, percent: number): Colour {
  const part = (index: 0 | 1 | 2): number =>
    (a[index] * percent + b[index] * (100 - percent)) / 100;
  return [part(0), part(1), part(2)];
}

const mixed = (text: string, colour: string): string =>
  mix(parse(text), parse(colour), TOKEN_MIX).join();

describe("colours", () => {
  it("can be told apart as WCAG computes it: black on white is 21", () => {
    expect(contrast(parse("#000"), parse("#fff"))).toBeCloseTo(21);
  });

  it.each(PAGES)("of source text are legible on %s", (_, text, background) => {
    for (const colour of Object.values(TOKEN_COLORS)) {
      const shown = mix(parse(text), parse(colour), TOKEN_MIX);
      expect(contrast(shown, parse(background))).toBeGreaterThanOrEqual(AA);
    }
  });

  it("of types differ from each other and from plain text on every page", () => {
    for (const [, text] of PAGES) {
      const shown = [text, ...Object.values(TOKEN_COLORS).map((it) => mixed(text, it))];
      expect(new Set(shown).size).toBe(shown.length);
    }
    const types = [["5", 5, true, null]].map((row) => renderBundle(showTable([{ ...row }])));
    for (const name of ["string", "number", "literal"]) {
      expect(types[0]?.["text/html"]).toContain(`color:var(--${name})`);
      expect(types[0]?.["text/html"]).toContain(`--${name}:color-mix(in srgb,currentColor`);
    }
  });

  it.each(STATUS_CLASSES)(
    "of the status class %s are legible, and its words stand there",
    (statusClass) => {
      const html = renderBundle(sampleExchange("", "", { statusClass }))["text/html"] ?? "";
      const [, background = "", color = ""] =
        /<strong style="background-color:(#\w+);color:(#\w+);/.exec(html) ?? [];
      expect(contrast(parse(color), parse(background))).toBeGreaterThanOrEqual(AA);
      expect(html).toContain(`</strong> · ${statusClass}`);
    },
  );
});
