import { type Colour, encodePng } from "./png.ts";
import type { Bytes } from "./respond.ts";

const WIDTH = 160;
const HEIGHT = 120;
const SHADES = { sky: "#eef4fb", glass: "#34495e", empty: "#ffffff", liquid: "#1abc9c" } as const;

/** Bubbles in the flask and above it: centre and radius. */
const BUBBLES = [
  [70, 86, 4],
  [88, 92, 5],
  [80, 76, 3],
  [82, 14, 4],
  [76, 4, 2],
] as const;

/** The flask as an SVG drawing. */
export function drawSvg(): string {
  const bubbles = BUBBLES.map(
    ([x, y, radius]) =>
      `  <circle cx="${x}" cy="${y}" r="${radius}" fill="${SHADES[bubbleShade(y)]}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    "  <title>A flask</title>",
    `  <rect width="${WIDTH}" height="${HEIGHT}" fill="${SHADES.sky}"/>`,
    `  <path d="M70 24V50L40 108H120L90 50V24Z" fill="${SHADES.empty}" stroke="${SHADES.glass}" stroke-width="4"/>`,
    `  <path d="M60 70H100L118 106H42Z" fill="${SHADES.liquid}"/>`,
    `  <path d="M66 22H94" stroke="${SHADES.glass}" stroke-width="6"/>`,
    ...bubbles,
    "</svg>\n",
  ].join("\n");
}

let png: Bytes | undefined;

/** The same flask as a PNG, drawn once. */
export function drawPng(): Bytes {
  png ??= encodePng(WIDTH, HEIGHT, colourAt);
  return png;
}

function colourAt(x: number, y: number): Colour {
  return toColour(SHADES[shadeAt(x + 0.5, y + 0.5)]);
}

function shadeAt(x: number, y: number): keyof typeof SHADES {
  if (BUBBLES.some(([centreX, centreY, r]) => (x - centreX) ** 2 + (y - centreY) ** 2 < r * r)) {
    return bubbleShade(y);
  }
  if (y >= 19 && y < 25 && Math.abs(x - 80) < 14) return "glass";
  // Half the width of the flask at this height: a neck, then a cone.
  const half = y < 50 ? 10 : 10 + (y - 50) * (30 / 58);
  const inside = y >= 24 && y < 108 ? half - Math.abs(x - 80) : -1;
  if (inside < 0) return "sky";
  if (inside < 3 || y > 105) return "glass";
  return y > 70 ? "liquid" : "empty";
}

function bubbleShade(y: number): "liquid" | "sky" {
  return y < 60 ? "liquid" : "sky";
}

function toColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
