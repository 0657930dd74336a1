// One contender and one case of interpolate.mjs in a process of its own: prints microseconds.
import {
  HOSTILE,
  LARGE,
  LIST,
  MANY,
  NAMES,
  RENDERED,
  SMALL,
  VALUES,
  withUnused,
} from "./interpolate-texts.mjs";

const [bundle, contender, name] = process.argv.slice(2);
const quick = process.argv.includes("--quick");

/** Makes a function from text and values to text, nothing kept between its calls. */
const MAKE = {
  ours: async () => (await import(bundle)).interpolate,
  scanner: () => scan,
  regex: () => (text, values) =>
    text.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path) => lookUp(values, path)),
  mustache: async () => {
    const { default: mustache } = await import("mustache");
    mustache.templateCache = undefined;
    mustache.escape = (text) => text;
    return (text, values) => mustache.render(text, values);
  },
  handlebars: async () => {
    const { default: handlebars } = await import("handlebars");
    return (text, values) => handlebars.compile(text, { noEscape: true })(values);
  },
  lodash: async () => {
    const { default: lodash } = await import("lodash");
    return (text, values) => lodash.template(text, { interpolate: /{{([\s\S]+?)}}/g })(values);
  },
  bruno: async () => (await import("@usebruno/common")).interpolate,
};

/** The least that does the work: no positions, no escapes, no check of names or own properties. */
function scan(text, values) {
  let rendered = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("{{", at);
    const close = open === -1 ? -1 : text.indexOf("}}", open + 2);
    if (close === -1) return rendered + text.slice(at);
    rendered += text.slice(at, open) + lookUp(values, text.slice(open + 2, close).trim());
    at = close + 2;
  }
}

function lookUp(values, path) {
  let value = values;
  for (const key of path.split(".")) value = value?.[key];
  if (value === undefined) throw new ReferenceError(path);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

let sink = 0;

/** Reads one character, which makes the engine put the text together that it may only have noted. */
function consume(text) {
  sink ^= text.charCodeAt(text.length >> 1);
}

/** Different texts, so that no engine or library can answer from what it did before. */
function variants(text, count) {
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(`${text}${1000 + index}`).toString(),
  );
}

function fresh(render, text, values, count) {
  const texts = variants(text, count);
  let next = 0;
  return () => consume(render(texts[next++ % count], values));
}

async function often() {
  const { parseTemplate, renderTemplate } = await import(bundle);
  const template = parseTemplate(SMALL);
  const variables = name === "often" ? VALUES : new Map(Object.entries(VALUES));
  const place = name === "often:json" ? "json" : "text";
  if (contender === "ours") return () => consume(renderTemplate(template, variables, place));
  if (contender === "join") {
    const value = (part) => (typeof part === "string" ? part : lookUpSteps(variables, part));
    return () => consume(template.parts.map(value).join(""));
  }
  const ready = template.parts.map((part) =>
    typeof part === "string" ? part : lookUp(VALUES, part.text),
  );
  return () => consume(ready.join(""));
}

/** The value of a parsed path, own properties only. */
function lookUpSteps(variables, { name, steps }) {
  let value = variables instanceof Map ? variables.get(name) : variables[name];
  for (const step of steps) value = Object.hasOwn(value, step) ? value[step] : undefined;
  return String(value);
}

function hostile(render, text) {
  return () => {
    try {
      consume(render(text, VALUES));
    } catch (error) {
      if (error.name !== "TemplateSyntaxError") throw error;
    }
  };
}

async function makeRun() {
  if (name.startsWith("often")) return often();
  if (contender === "stringify") return () => consume(JSON.stringify(LIST, null, 2));
  const render = await MAKE[contender]();
  if (render(SMALL, VALUES) !== RENDERED) throw new Error(`renders ${render(SMALL, VALUES)}`);
  if (name === "whole") return () => consume(render("{{list}}", { list: LIST }));
  if (name === "many") return fresh(render, MANY, NAMES, 4);
  if (name === "small") return fresh(render, SMALL, VALUES, 500);
  if (name === "unused") return fresh(render, SMALL, withUnused(), 500);
  if (name === "large") return fresh(render, LARGE, VALUES, 8);
  return hostile(render, HOSTILE[name.slice("hostile:".length)]);
}

/** The median of rounds that take about 20 ms each, after as long a warm-up. */
function time(run) {
  const budget = quick ? 400 : 1500;
  const begun = performance.now();
  let batch = 1;
  const rounds = [];
  while (performance.now() - begun < budget || rounds.length < 5) {
    const start = performance.now();
    for (let index = 0; index < batch; index++) run();
    const took = performance.now() - start;
    if (performance.now() - begun > budget / 3) rounds.push(took / batch);
    else if (took < 20) batch *= 2;
    if (performance.now() - begun > 10 * budget && rounds.length > 0) break;
  }
  rounds.sort((a, b) => a - b);
  return rounds[rounds.length >> 1] * 1000;
}

console.log(time(await makeRun()));
if (Number.isNaN(sink)) console.error(sink);
