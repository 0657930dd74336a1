import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import { createTerminalPrinter } from "../../kernel/terminal/mod.ts";
import { type MimeBundle, renderBundle, showPart } from "../../lib/display/mod.ts";
import { createSecretStore, type Secrets } from "../../lib/secrets/mod.ts";
import { EVERY_VIEW } from "./every-view.ts";
import { expectInert, visit } from "./judge.ts";
import { secretsOf, structureOf, tokensOf } from "./markup-tokens.ts";
import { sampleExchange } from "./sample.ts";

// Long ones hold no markup that short ones do not.
const VIEWS = Object.entries(EVERY_VIEW).filter(([name]) => !name.includes("long"));
const htmlOf = (bundle: MimeBundle): string => bundle["text/html"] ?? "";
const markdownOf = (bundle: MimeBundle): string => bundle["text/markdown"] ?? "";
/** The markup that all views have between them: whatever they are made of. */
const MARKUP = new Set(
  VIEWS.flatMap(([, value]) => {
    const html = htmlOf(renderBundle(value)).replace(/>[^<]+</g, "><");
    // The page in a frame is an attribute.
    const inner = html.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    return tokensOf(html, inner);
  }),
);

/** Where a secret stands in it, another view is shown: no bytes, no drawing. */
const HIDES_ALL = /^(?:a drawing|bytes|bytes of a program|an answer with a name)$/;
const FENCE = /^ *(`{3,})[a-z]*\n(?:.*\n)*?\1$/gm;
const CODE = /(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)|<code>(?:[\w\s]|[^\p{ASCII}]|&#\d+;)*<\/code>/gu;
const ACTING = new RegExp(
  `[${["\\0-\\x08", "\\x0b-\\x1f", "\\x7f-\\x9f", "\\u202a-\\u202e"].join("")}]`,
);
const COLOUR = new RegExp(`${"\u001b"}\\[\\d+m`, "g");

function printed(value: unknown, secrets: Secrets): string {
  let text = "";
  const write = (part: string): void => {
    text += part;
  };
  createTerminalPrinter({ write, columns: () => 80, color: true }, { secrets }).value(value);
  return text;
}

/** The attributes and the beginning of the page in each frame. */
function locksOf(html: string): readonly (readonly [sandbox: unknown, page: string])[] {
  const locks: (readonly [unknown, string])[] = [];
  visit(fromHtml(html, { fragment: true }), ({ tagName, properties }) => {
    const page = String(properties["srcDoc"]);
    if (tagName === "iframe")
      locks.push([properties["sandbox"], page.slice(0, page.indexOf(">", 16))]);
  });
  return locks;
}

describe("a secret that equals a piece of our own markup", () => {
  it("is tried with all that the views are written with", () => {
    expect(MARKUP.size).toBeGreaterThan(150);
    expect([...MARKUP]).toEqual(
      expect.arrayContaining([
        'border="1"',
        'text-align:left">',
        "sandbox",
        "Content-Security-Policy",
        "style",
        '<tr style="background:transparent">',
      ]),
    );
  });

  it.each(VIEWS)(
    "takes nothing apart in %s",
    (name, value) => {
      const plain = renderBundle(value);
      const before = structureOf(htmlOf(plain));
      const locks = locksOf(htmlOf(plain));
      const forms = [htmlOf(plain), markdownOf(plain), plain["text/plain"]];
      // What stands in no form has nothing to take apart there.
      const shared = [...MARKUP].filter((token) => forms.some((form) => form.includes(token)));
      const tokens = new Set([...shared, ...tokensOf(htmlOf(plain), markdownOf(plain))]);
      for (const token of tokens) {
        const bundle = renderBundle(value, { secrets: [secretsOf(token)] });
        const html = htmlOf(bundle);
        // Most of what markup is made of stands in no text, and so nothing becomes of it.
        if (html !== htmlOf(plain)) {
          expectInert(html);
          expect(locksOf(html), token).toEqual(locks);
          if (!HIDES_ALL.test(name)) expect(structureOf(html), token).toEqual(before);
        }
        const outside = markdownOf(bundle).replace(FENCE, "").replace(CODE, "");
        expect(outside, token).not.toMatch(/<|\]\(|onfocus|\$/);
        for (const form of [html, markdownOf(bundle), bundle["text/plain"]]) {
          expect(form, token).not.toMatch(ACTING);
        }
      }
    },
    60_000,
  );

  it.each(VIEWS)("lets nothing act on a terminal that shows %s", (_, value) => {
    const secrets = [...tokensOf(printed(value, createSecretStore())), "[1m", "[2m", "\u001b[2m"];
    for (const token of secrets) {
      const shown = printed(value, secretsOf(token));
      // Colours alone, and each of them whole.
      expect(shown.replaceAll(COLOUR, ""), token).not.toMatch(ACTING);
    }
  });
});

describe("a server that chooses what is secret", () => {
  const ATTACK = "x autofocus tabindex=1 onfocus=pwned() y";

  it.each([
    ["a header", "X-Auth-Token", '"text-align:left">'],
    ["a cookie", "Set-Cookie", 'a="text-align:left">'],
  ])("by %s has no attribute of its own", (_, name, value) => {
    const store = createSecretStore();
    store.learn({ kind: "headers", headers: [[name, value]] }, "person");
    const answer = sampleExchange(JSON.stringify({ ok: ATTACK }), "application/json");
    const before = structureOf(htmlOf(renderBundle(answer)));
    const html = htmlOf(renderBundle(answer, { secrets: [store] }));
    expect(structureOf(html)).toEqual(before);
    expectInert(html);
  });

  it.each([
    "sandbox",
    "Content-Security-Policy",
    "default-src",
    'sandbox=""',
    "http-equiv",
    "srcdoc",
  ])("by the token %s takes no lock off a preview, in its answer or in a later one", (token) => {
    const store = secretsOf(token);
    const page = showPart(sampleExchange(`<h1>${token}</h1>`, "text/html"), "html-preview");
    const [before] = locksOf(htmlOf(renderBundle(page)));
    const html = htmlOf(renderBundle(page, { secrets: [store] }));
    expect(locksOf(html)).toEqual([before]);
    expectInert(html);
    const [lock] = locksOf(html);
    expect(lock?.[1]).toContain("default-src 'none'");
  });

  it("puts no tag into a page in a frame by a key", () => {
    const page = showPart(sampleExchange("<p>abcdefgh</p>", "text/html"), "html-preview");
    const html = htmlOf(renderBundle(page, { secrets: [secretsOf("abcdefgh")] }));
    let tags: readonly string[] = [];
    visit(fromHtml(html, { fragment: true }), ({ tagName, properties }) => {
      if (tagName === "iframe")
        tags = structureOf(String(properties["srcDoc"]).replace(/^.*?>.*?>/, ""));
    });
    expect(tags).toEqual(["p "]);
  });
});

describe("a person's own short secret", () => {
  it.each(["table", "style", 'border="1"', "text-align", "details", "<tbody>"])(
    "%s leaves the view as it is",
    (secret) => {
      for (const [, value] of VIEWS) {
        const html = htmlOf(renderBundle(value, { secrets: [secret] }));
        expectInert(html);
        expect(html.includes("<table")).toBe(htmlOf(renderBundle(value)).includes("<table"));
      }
    },
  );
});
