import { readCell, requestMode } from "./request-mode.js";

// A prebuilt extension of JupyterLab 4 and Notebook 7: the language "restlab", by which the `language_info` of the
// kernel names it. It is a module federation container written by hand: the application calls `init` with the
// packages that it shares, and `get` for the plugin.
// @see https://jupyterlab.readthedocs.io/en/stable/extension/extension_dev.html#prebuilt-extensions

let shared = {};

/** The version of a package that the application uses. */
async function load(name) {
  const versions = Object.values(shared[name] ?? {});
  const found = versions.find(({ loaded }) => loaded) ?? versions[0];
  if (found === undefined) throw new Error(`JupyterLab does not share ${name}`);
  return (await found.get())();
}

async function createPlugin() {
  const { IEditorLanguageRegistry } = await load("@jupyterlab/codemirror");
  return {
    id: "restlab:language",
    description:
      "Request cells of restlab notebooks are highlighted as HTTP, others as TypeScript.",
    autoStart: true,
    optional: [IEditorLanguageRegistry],
    activate: (_app, languages) => {
      languages?.addLanguage({
        name: "restlab",
        displayName: "HTTP and TypeScript",
        mime: "text/x-restlab",
        load: () => loadLanguage(languages),
      });
    },
  };
}

/** One language of two parsers: the text of a cell decides which of them parses it. */
async function loadLanguage(languages) {
  const [language, { Parser }, code] = await Promise.all([
    load("@codemirror/language"),
    load("@lezer/common"),
    languages.findByMIME("application/typescript").load(),
  ]);
  const requests = language.StreamLanguage.define(requestMode);
  class CellParser extends Parser {
    createParse(input, fragments, ranges) {
      const kind = readCell(input.read(0, Math.min(input.length, 10_000)));
      const { parser } = kind === "code" ? code.language : requests;
      return parser.createParse(input, fragments, ranges);
    }
  }
  const data = language.defineLanguageFacet({ commentTokens: { line: "//" } });
  const both = new language.Language(data, new CellParser(), [], "restlab");
  return new language.LanguageSupport(both, code.support);
}

globalThis._JUPYTERLAB ??= {};
globalThis._JUPYTERLAB.restlab = {
  init: (scope) => {
    shared = scope;
  },
  get: async () => {
    const plugin = await createPlugin();
    return () => ({ __esModule: true, default: plugin });
  },
};
