import process from "node:process";

/** What pumped texts are made of: each is repeated, until the text is as long as it is to be. */
export const PUMPS: readonly string[] = [
  ..." \n\"'`\\{}[]()</*-#@$=&;:,.0a\0",
  ...[
    "\r",
    "\r\n",
    " \n",
    "\\\n",
    "^\n",
    "a\n",
    "\n?a",
    "{{",
    "{{a",
    "{{a}}",
    "{{a.",
    "{{$",
    "\\{{",
  ],
  ...["/*", "//", "${", "$(", "%41", "%u0041", "\\u0041", '\\"', "&amp;", "<a ", "</", "<!--"],
  ...[
    "a ",
    "a=",
    "a=b&",
    "A: b\n",
    '"a",',
    '{"a":',
    "[1,",
    "1e",
    "# @a b\n",
    "@a = b\n",
    "###\n",
    "GET /\n",
  ],
  ...[
    "data: a\n",
    "data: a\n\n",
    "< a\n",
    "--a\n",
    "> {%",
    "-H a",
    "![",
    "YWFh",
    "65,66,",
    "://",
    ":a@",
  ],
  ...[
    "token=",
    '"token":"a",',
    'a="b", ',
    'a="',
    "e\u0301",
    "👩‍👩‍👧",
    "function(",
    "const a = 1;\n",
  ],
];

/** In characters. Longer texts are in `test/request/hostile.test.ts`. */
const SMALL = 5_000;
/** In milliseconds, for four times the text: what takes less is no matter, however it grows. */
const NOTICEABLE = 10;
/** What is linear takes four times as long for four times the text, what is quadratic sixteen. */
const MOST = 9;
/**
 * What is linear takes four times as long for four times the text. A quadratic part that is to make a step of
 * {@link MOST} with more text is seen here already, and most parsers need no longer texts.
 */
const LINEAR = 5;
/** In milliseconds: what takes so much is not waited for with more. */
const LONG = 1_000;
/** So often more is measured before a step is called steep. */
const TIMES = 3;

/** A text that a parser takes too long for, with some of what was measured. */
export interface Slow {
  readonly pump: string;
  readonly milliseconds: readonly number[];
}

/**
 * Finds the texts for which the time of a parser grows faster than they do.
 *
 * @param run Parses; what it throws is its answer.
 * @param make Makes a text that holds what was pumped.
 */
export function findSlow(
  run: (text: string) => unknown,
  make: (pumped: string) => string,
): readonly Slow[] {
  return PUMPS.flatMap((pump): readonly Slow[] => {
    const makeText = (size: number): string => make(pump.repeat(Math.ceil(size / pump.length)));
    const milliseconds = measureGrowth(run, makeText, SMALL);
    return milliseconds === undefined ? [] : [{ pump, milliseconds }];
  });
}

/**
 * Measures how the time of a parser grows with the text: that of the processor, so that other processes change
 * little, by ratio, so that a slow machine changes nothing, and twice, since caches and the collection of garbage
 * make one step steeper.
 *
 * @param makeText Makes a text of about so many characters.
 * @param small So many characters are measured first, and at most sixteen times as many.
 * @returns What was measured, if it grows faster than the text.
 */
export function measureGrowth(
  run: (text: string) => unknown,
  makeText: (size: number) => string,
  small: number,
): readonly number[] | undefined {
  const time = (size: number): number => {
    const text = makeText(size);
    const begun = process.cpuUsage();
    try {
      run(text);
    } catch {
      // Most of these texts are broken.
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  // What disturbs a measurement only ever makes it longer.
  const isSteep = (size: number, before: number): number | undefined => {
    let least = time(size);
    for (let count = 0; count < TIMES && least > before * MOST; count++) {
      if (least < LONG * 4) least = Math.min(least, time(size));
    }
    return least > before * MOST && least > NOTICEABLE ? least : undefined;
  };
  const early = time(small);
  if (early * MOST * 2 < NOTICEABLE) return undefined;
  const quarter = Math.min(time(small / 4), time(small / 4));
  if (early < quarter * LINEAR) return undefined;
  // The first run of a parser is slow: its code was not compiled yet.
  const first = early < LONG ? Math.min(early, time(small)) : early;
  if (first < quarter * LINEAR) return undefined;
  const start = first < LONG ? first : quarter;
  const second = isSteep(first < LONG ? small * 4 : small, start);
  if (second === undefined) return undefined;
  const third = second < LONG ? isSteep(small * 16, second) : second;
  return third === undefined ? undefined : [start, second, third];
}
