/** A filled outline; curves are polygons with enough corners. */
export interface Shape {
  readonly fill: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The side of the square that the logo is drawn in. */
export const LOGO_SIZE = 64;

const WHITE = "#ffffff";
const TEAL = "#0b7285";
const AMBER = "#ffa94d";

/** A flask with a pair of braces in it: a laboratory for requests with placeholders. */
export const LOGO: readonly Shape[] = [
  { fill: TEAL, points: roundedSquare(0, 0, 64, 13) },
  { fill: WHITE, points: flask(0) },
  { fill: TEAL, points: flask(3.2) },
  { fill: AMBER, points: liquid() },
  { fill: WHITE, points: roundedSquare(22, 7, 20, 2, 5) },
  { fill: TEAL, points: brace(27, 1) },
  { fill: TEAL, points: brace(37, -1) },
  { fill: AMBER, points: circle(33.5, 27, 2.2) },
  { fill: AMBER, points: circle(30.5, 20.5, 1.5) },
];

/** The logo as a picture that scales. */
export function renderLogoSvg(): string {
  const paths = LOGO.map(({ fill, points }) => {
    const corners = points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L");
    return `  <path fill="${fill}" d="M${corners}Z"/>`;
  });
  const box = `0 0 ${LOGO_SIZE} ${LOGO_SIZE}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">\n${paths.join("\n")}\n</svg>\n`;
}

type Points = Shape["points"];

function flask(inset: number): Points {
  const neck = 6 - inset;
  const foot = 53 - inset;
  return [
    [32 - neck, 10],
    [32 + neck, 10],
    [32 + neck, 25 + inset / 4],
    ...corner(52.5 - inset * 1.15, foot - 5, 5 - inset / 3, -30, 90),
    ...corner(11.5 + inset * 1.15, foot - 5, 5 - inset / 3, 90, 210),
    [32 - neck, 25 + inset / 4],
  ];
}

function liquid(): Points {
  return [
    [21.4, 36],
    [42.6, 36],
    ...corner(48.4, 45.2, 3, -30, 90),
    ...corner(15.6, 45.2, 3, 90, 210),
  ];
}

/** A brace, open to the right for `side` 1 and to the left for -1. */
function brace(x: number, side: 1 | -1): Points {
  const outline: Points = [
    [2.4, 36.6],
    [2.4, 38.6],
    [1.5, 38.9],
    [1.3, 39.8],
    [1.3, 41],
    [0.9, 42],
    [0, 42.5],
    [0.9, 43],
    [1.3, 44],
    [1.3, 45.2],
    [1.5, 46.1],
    [2.4, 46.4],
    [2.4, 48.4],
    [0.6, 47.8],
    [-0.7, 46.4],
    [-0.9, 44.6],
    [-1.4, 43.7],
    [-3, 43.5],
    [-3, 41.5],
    [-1.4, 41.3],
    [-0.9, 40.4],
    [-0.7, 38.6],
    [0.6, 37.2],
  ];
  return outline.map(([dx, y]) => [x + side * dx, y]);
}

function roundedSquare(
  left: number,
  top: number,
  width: number,
  radius: number,
  height: number = width,
): Points {
  const [right, bottom] = [left + width - radius, top + height - radius];
  return [
    ...corner(right, top + radius, radius, -90, 0),
    ...corner(right, bottom, radius, 0, 90),
    ...corner(left + radius, bottom, radius, 90, 180),
    ...corner(left + radius, top + radius, radius, 180, 270),
  ];
}

function circle(x: number, y: number, radius: number): Points {
  return corner(x, y, radius, 0, 345);
}

/** Part of a circle, in degrees clockwise from the right. */
function corner(x: number, y: number, radius: number, from: number, to: number): Points {
  const steps = Math.max(2, Math.round((to - from) / 15));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
