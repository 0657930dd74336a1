import assert from "node:assert/strict";
import type { Contract, Lab } from "./lab.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><title>Two bars</title></svg>';

/** The media types and contents of what a cell displays. */
async function bundlesOf(lab: Lab, code: string): Promise<Readonly<Record<string, unknown>>[]> {
  const { outcome, bundles } = await lab.ok(code);
  assert.deepEqual(outcome, { status: "ok" });
  return bundles();
}

async function bundleOf(lab: Lab, code: string): Promise<Readonly<Record<string, unknown>>> {
  const [bundle = {}, ...more] = await bundlesOf(lab, code);
  assert.equal(more.length, 0);
  return bundle;
}

export const displays: Contract = {
  "display as the last line shows a value once": async (lab) => {
    assert.deepEqual(await bundleOf(lab, "display(42)"), { "text/plain": "42" });
    assert.deepEqual((await lab.ok("const shown = display(42)\nawait shown")).displayed, [42]);
    const { displayed, value } = await lab.ok("display(1)\ndisplay(2).update(3)\n4");
    assert.deepEqual([displayed, value], [[1, 2, 3], 4]);
  },
  "what a front end prints of a display is not the output of the cell": async ({ session }) => {
    let printed = "";
    const sink = {
      stream: (_name: string, text: string): void => {
        printed += text;
      },
      display: (): void => console.log("of the front end"),
    };
    const later = "({ async [Symbol.for('Jupyter.display')]() { return { 'text/plain': 'x' } } })";
    await session.execute(`display(1); display(${later}); console.log("of the cell")`, sink);
    assert.equal(printed, "of the cell\n");
  },
  "display shows an object of media types as them": async (lab) => {
    const bundle = await bundleOf(lab, `display({ "image/svg+xml": ${JSON.stringify(SVG)} })`);
    assert.equal(bundle["image/svg+xml"], SVG);
    assert.match(String(bundle["text/plain"]), /^\[image\/svg\+xml, Two bars, \d+ bytes\]$/);
    const both = await bundleOf(lab, 'display({ "text/html": "<b>x</b>", "text/plain": "x" })');
    assert.deepEqual(both, { "text/html": "<b>x</b>", "text/plain": "x" });
    // Data whose keys are paths, or anything but media types, is data.
    for (const data of ['{ "/users/all": 1 }', '{ "a/b": 1, c: 2 }']) {
      assert.match(String((await bundleOf(lab, `display(${data})`))["text/html"]), /<table/);
    }
  },
  "display shows charts by their media types, with a text": async (lab) => {
    const vega = await bundleOf(
      lab,
      `display({ "application/vnd.vegalite.v5+json": {
        title: "Roles", mark: "bar", data: { values: [{ role: "admin", count: 2 }] },
        encoding: { x: { field: "role" }, y: { field: "count" } } } })`,
    );
    assert.equal(Reflect.get(Object(vega["application/vnd.vegalite.v5+json"]), "mark"), "bar");
    const text = String(vega["text/plain"]);
    assert.match(text, /^Vega-Lite chart "Roles", bar of role, count\n/);
    assert.match(text, /role +count\n.*\nadmin +2\n1 row$/);
    const plotly = await bundleOf(
      lab,
      `display({ "application/vnd.plotly.v1+json": {
        data: [{ type: "bar", x: ["a", "b"], y: [1, 2] }], layout: { title: { text: "T" } } } })`,
    );
    assert.match(String(plotly["text/plain"]), /^Plotly chart "T", bar\n[\s\S]*\nb +2\n2 rows$/);
  },
  "display.html, svg, markdown, json and image show what they are named for": async (lab) => {
    const shown = await bundlesOf(
      lab,
      `display.html("<h1>Hi</h1><p>a&amp;b<br>c</p><script>no()</script>")
      display.svg(${JSON.stringify(SVG)})
      display.markdown("**Hi**")
      display.json({ a: [1] })
      display.image(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
      display.image("data:image/gif;base64,R0lGODlhAQABAAAAACw=")`,
    );
    assert.deepEqual(
      shown.map((bundle) => Object.keys(bundle).filter((key) => key !== "text/plain")),
      [
        ["text/html"],
        ["image/svg+xml"],
        ["text/markdown"],
        ["application/json"],
        ["image/png"],
        ["image/gif"],
      ],
    );
    assert.deepEqual(
      shown.map((bundle) => bundle["text/plain"]),
      [
        "Hi\na&b\nc",
        `[image/svg+xml, Two bars, ${SVG.length} bytes]`,
        "**Hi**",
        '{\n  "a": [\n    1\n  ]\n}',
        "[image/png, 9 bytes]",
        "[image/gif, 15 bytes]",
      ],
    );
  },
  "a template escapes what it inserts": async (lab) => {
    const inserted = "const name = '<img src=x onerror=alert(1)>'\n";
    const escaped = "&lt;img src=x onerror=alert(1)&gt;";
    const one = await bundleOf(lab, `${inserted}display.html\`<b title="\${name}">\${name}</b>\``);
    assert.equal(one["text/html"], `<b title="${escaped}">${escaped}</b>`);
    const code =
      "import { html } from 'restlab'\nhtml`<ul>${[1, '<'].map((n) => html`<li>${n}`)}</ul>`";
    const { outcome } = await lab.ok(code);
    const result = outcome.status === "ok" ? outcome.result?.bundle() : undefined;
    assert.equal(result?.["text/html"], "<ul><li>1<li>&lt;</ul>");
    const formula =
      "display.html`<p title=\"${'$'}\">${'$a$'}</p><svg><title>${'$'}</title>${'$'}</svg>`";
    assert.equal(
      (await bundleOf(lab, formula))["text/html"],
      '<p title="$"><span>$</span>a<span>$</span></p><svg><title>$</title><tspan>$</tspan></svg>',
    );
    for (const place of [
      "<script>${1}</script>",
      '<b onclick="f(${1})">',
      "<b title=${1}>",
      "<b title=x${1}>",
      '<b title="x" ${1}>',
      "<${1}>",
      '<svg/onload="f(${1})">',
      '<iframe srcdoc="${1}">',
    ]) {
      const { message } = await lab.fail(`display.html\`${place}\``);
      assert.match(message, /^Cannot insert a value /);
    }
    for (const address of ["${'java\\nscript:f()'}", "${'java'}${'script:f()'}"]) {
      const { message } = await lab.fail(`display.html\`<a href="${address}">x</a>\``);
      assert.match(message, /^Cannot insert the address /);
    }
  },
  "an asynchronous display is waited for, in order": async (lab) => {
    const code = `const later = (text: string, ms: number) => ({
      async [Symbol.for("Jupyter.display")]() {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return { "text/markdown": text, "text/plain": text };
      } })
    display(later("one", 20)); display("two"); display(Promise.resolve("three"))
    `;
    const { bundles } = await lab.ok(code);
    assert.deepEqual(
      bundles().map((bundle) => bundle["text/plain"]),
      ["one", "two", "three"],
    );
    const { outcome, value } = await lab.ok("later('result', 1)");
    const result = outcome.status === "ok" ? outcome.result : undefined;
    assert.deepEqual(result?.bundle(), { "text/markdown": "result", "text/plain": "result" });
    // A program gets the value itself.
    assert.equal(typeof Reflect.get(Object(value), Symbol.for("Jupyter.display")), "function");
  },
  "a display that fails is an error, and the session goes on": async (lab) => {
    const failing = (body: string): string =>
      `({ async [Symbol.for("Jupyter.display")]() { ${body} } })`;
    for (const [code, said] of [
      [failing("throw new RangeError('not today')"), "RangeError: not today"],
      [failing("return { 'text/html': 5 }"), "text/html: a number is not a string"],
      ["({ [Symbol.for('Jupyter.display')]() { throw new Error('at once') } })", "Error: at once"],
    ] as const) {
      const { outcome } = await lab.ok(code);
      const result = outcome.status === "ok" ? outcome.result : undefined;
      assert.match(String(result?.bundle()["text/plain"]), new RegExp(said));
      assert.notEqual(result?.failure, undefined);
      assert.match(
        String((await bundleOf(lab, `display(${code})`))["text/plain"]),
        new RegExp(said),
      );
    }
    assert.equal((await lab.ok("1 + 1")).value, 2);
  },
  "a display that never settles ends with the cell": async (lab) => {
    const running = lab.run(
      "display({ [Symbol.for('Jupyter.display')]: () => { ready(); return new Promise(() => {}) } })",
    );
    await new Promise<void>((resolve) => Reflect.set(globalThis, "ready", resolve));
    lab.session.interrupt();
    const { outcome } = await running;
    assert.equal(outcome.status === "error" && outcome.error.name, "InterruptedError");
    assert.equal((await lab.ok("1 + 1")).value, 2);
  },
  "a bundle that cannot be shown is an error at its line": async (lab) => {
    await lab.ok("const cyclic: any = {}; cyclic.self = cyclic");
    for (const [value, said] of [
      ['{ "text/html": 5 }', /^Cannot show the value as text\/html: a number is not a string$/],
      ['{ "image/svg+xml": { a: 1 } }', /svg\+xml: an object is not a string$/],
      ['{ "application/json": () => 1 }', /json: a function is not a string or JSON$/],
      [
        '{ "application/json": cyclic }',
        /^Cannot show the value as application\/json: it is not JSON/,
      ],
      ['{ "image/svg+xml": "x".repeat(50e6) }', /: it is 50 MB; at most 10 MB can be shown$/],
    ] as const) {
      const { message, trace } = await lab.fail(`\ndisplay(${value})`);
      assert.match(message, said);
      assert.match(trace, /:2:/);
    }
    for (const [call, said] of [
      ["display.html(5 as any)", "the source is not a string"],
      ["display.image('plain text')", "the bytes are not a PNG"],
      ["display.image(5 as any)", "give bytes, base64"],
    ] as const) {
      assert.match((await lab.fail(call)).message, new RegExp(said));
    }
  },
  "markup of a cell is shown as it is, whatever an answer says": async (lab) => {
    const image = "<img src=x onerror=steal()>";
    // The server of the lab answers with what it was sent.
    await lab.ok(
      `await client.send({ url: "${lab.base}/", headers: { "X-Page": ${JSON.stringify(image)} } })
      const [page] = Object.entries(client.last.json.headers).flatMap(([name, value]) =>
        /x-page/i.test(name) ? [String(value)] : [])`,
    );
    const escaped = "<b>&lt;img src=x onerror=steal()&gt;</b>";
    for (const [code, markup] of [
      ["display.html(page)", image],
      ["display({ 'text/html': `<b>${page}</b>` })", `<b>${image}</b>`],
      ["display.html`<b>${page}</b>`", escaped],
      ["import { html } from 'restlab'\ndisplay(html`<b>${page}</b>`)", escaped],
      ["display.html(html`<b>${page}</b>`)", escaped],
    ] as const) {
      assert.equal((await bundleOf(lab, code))["text/html"], markup, code);
    }
  },
  "a secret is masked in what a cell displays, and hides markup": async (lab) => {
    await lab.ok("client.setVar('key', 'Shown-s3cret', { secret: true })");
    for (const code of [
      "display.html(`<p>Shown-s3cret</p>`)",
      "display.html`<p>${'Shown-s3cret'}</p>`",
      "display.svg('<svg><title>Shown-s3cret</title></svg>')",
      "display.markdown('**Shown-s3cret**')",
      "display({ password: 'x', async [Symbol.for('Jupyter.display')]() { return { 'text/html': 'Shown-s3cret' } } })",
    ]) {
      const bundle = await bundleOf(lab, code);
      assert.doesNotMatch(JSON.stringify(bundle), /Shown-s3cret/, code);
      assert.match(String(bundle["text/html"]), /not shown: its markup contains a secret/, code);
    }
    for (const code of [
      "display.json({ a: 'Shown-s3cret' })",
      "display({ 'application/vnd.vegalite.v5+json': { title: 'Shown-s3cret', mark: 'bar' } })",
    ]) {
      const text = JSON.stringify(await bundleOf(lab, code));
      assert.doesNotMatch(text, /Shown-s3cret/, code);
      assert.match(text, /\{\{key\}\}/, code);
    }
  },
};
