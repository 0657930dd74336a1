import { describe, expect, test } from "vitest";
import { createSecretStore, type SecretStore } from "../../lib/secrets/mod.ts";
import { spellingsOf } from "./spellings.ts";

function storeOf(text: string): SecretStore {
  const store = createSecretStore();
  store.setVariable("v0", text, true);
  return store;
}

/** Secrets that looked otherwise once where a stream was cut inside or right behind them. */
const CUT = [
  String.raw`\-A<%""`,
  "Pass''word'",
  'three-at-end"""',
  "back\\slash\\",
  "percent%41%",
  "p+w/ä=\"'<&>\\ é %41z",
];

describe("a stream", () => {
  test.each(CUT)("of %s masks what the whole text does, wherever it is cut", (secret) => {
    const store = storeOf(secret);
    for (const spelling of spellingsOf(secret)) {
      for (const text of [`ab ${spelling} cd`, `"${spelling}" ${spelling}`, spelling]) {
        const whole = store.mask(text);
        for (let at = 0; at <= text.length; at++) {
          const stream = store.openStream();
          const shown = stream.write(text.slice(0, at)) + stream.write(text.slice(at));
          expect(shown + stream.end()).toBe(whole);
        }
      }
    }
  });

  test("shows at once what cannot be the beginning of a secret", () => {
    const stream = storeOf("hunter2-secret").openStream();
    expect(stream.write("loading 10 #")).toBe("loading 10 #");
    expect(stream.isHolding).toBe(false);
    expect(stream.write(" hun")).toBe(" ");
    expect(stream.isHolding).toBe(true);
    expect(stream.write("dred")).toBe("hundred");
  });

  test("shows a short beginning to a person who waits, and no long one", () => {
    const stream = storeOf("hunter2-secret").openStream();
    expect(stream.write("name: hu") + stream.release()).toBe("name: hu");
    expect(stream.write("hunter2-") + stream.release()).toBe("");
    expect(stream.write("secret!")).toBe("{{v0}}!");
  });

  test("that ends in more than the first characters of a secret does not show them", () => {
    const stream = storeOf("hunter2-secret").openStream();
    expect(stream.write("hunter2-secre") + stream.end()).toBe("•••");
    expect(stream.write("hun") + stream.end()).toBe("hun");
  });

  test("masks what becomes a secret while it runs", () => {
    const store = createSecretStore();
    const stream = store.openStream();
    stream.write("begin ");
    store.setVariable("token", "abcdef-123", undefined);
    expect(stream.write("abc") + stream.write("def-123\n")).toBe("{{token}}\n");
  });
});
