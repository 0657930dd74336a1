import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unescapeText } from "../../lib/secrets/escapes.ts";
import { whyUnsafe } from "../../lib/secrets/forms.ts";
import { createSecretStore, type SecretStore } from "../../lib/secrets/mod.ts";
import { base64Cores, SPELLINGS, spellingsOf } from "./spellings.ts";

/** Texts that are taken as secrets, of all characters. */
const secrets = fc
  .oneof(
    fc.string({ minLength: 6, maxLength: 60 }),
    fc.string({ minLength: 6, maxLength: 60, unit: "grapheme" }),
    fc.base64String({ minLength: 8, maxLength: 80 }),
    fc.stringMatching(/^[A-Za-z0-9+/%&="'<>\\-]{6,40}$/),
  )
  .filter((text) => {
    try {
      createSecretStore().setVariable("v", text, true);
      // What a form or an escape makes of it can be too common to be masked.
      const readings = [text.replaceAll("+", " "), unescapeText(text)];
      if (readings.some((reading) => whyUnsafe(reading) !== undefined)) return false;
      return text === text.trim() && !/\{\{|•|\n/.test(text);
    } catch {
      return false;
    }
  });

/** Spellings that escape every character of a text, or none. */
const WHOLE = [
  "plain",
  "every character percent-encoded",
  "JSON, each character escaped",
  "base64",
];

const around = fc.string({ maxLength: 30, unit: fc.constantFrom(..."ghijkl ,.:!\n()GHIJ") });

function storeOf(...texts: readonly string[]): SecretStore {
  const store = createSecretStore();
  for (const [index, text] of texts.entries()) store.setVariable(`v${index}`, text, true);
  return store;
}

/** The pieces of a text, cut at places. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((from, index) => text.slice(from, [...ends, text.length][index]));
}

describe("a random secret", () => {
  test("is found in no spelling, whatever stands around it", () => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, behind) => {
        const store = storeOf(secret);
        // Where a text escapes some characters of a secret, undoing that also undoes the escapes the secret contains.
        const isEscape = unescapeText(secret) !== secret;
        const spellings = isEscape
          ? WHOLE.map((name) => SPELLINGS[name]?.(secret))
          : spellingsOf(secret);
        for (const spelling of spellings) {
          const masked = store.mask(before + spelling + behind);
          expect(masked).not.toContain(spelling);
          expect(masked).toContain("{{v0}}");
        }
      }),
      { numRuns: 150 },
    );
  });

  test("is found in no base64 of a longer text", () => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, behind) => {
        const encoded = Buffer.from(before + secret + behind).toString("base64");
        const masked = storeOf(secret).mask(encoded);
        for (const core of base64Cores(secret).filter(({ length }) => length >= 6)) {
          expect(masked).not.toContain(core);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("is found in no stream, wherever its pieces are cut", () => {
    fc.assert(
      fc.property(
        fc.array(secrets, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(around, fc.nat(40)), { maxLength: 8 }),
        fc.array(fc.nat(2_000), { maxLength: 20 }),
        (texts, parts, places) => {
          const all = texts.flatMap((text) => spellingsOf(text));
          const text = parts
            .map((part) => (typeof part === "string" ? part : `${all[part % all.length]} `))
            .join(" ");
          const store = storeOf(...texts);
          const stream = store.openStream();
          const written = cut(text, places).map((piece) => stream.write(piece));
          const whole = written.join("") + stream.end();
          for (const one of texts) expect(whole).not.toContain(one);
          expect(whole).toBe(store.mask(text));
        },
      ),
      { numRuns: 200, examples: [[[">\\\\+\"'0\\'a"], [31], [1115]]] },
    );
  });
});

describe("a text without secrets", () => {
  const innocent = fc
    .string({ maxLength: 400, unit: "binary" })
    .filter((text) => !/:\/\/|[?&;]/.test(text));

  test("is unchanged byte for byte, whole and as a stream", () => {
    fc.assert(
      fc.property(innocent, fc.array(fc.nat(400), { maxLength: 10 }), (text, places) => {
        const store = storeOf("No-Such+Text/In_It", "日本語のパスワード");
        expect(store.mask(text)).toBe(text);
        const stream = store.openStream();
        const written = cut(text, places).map((piece) => stream.write(piece));
        expect(written.join("") + stream.end()).toBe(text);
      }),
    );
  });
});
