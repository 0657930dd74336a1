import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { readFrontEndFiles } from "../../kernel/jupyter/install/front-ends.ts";
import { MAGICS } from "../../kernel/session/cell/mod.ts";
import { kindOfCell } from "../../kernel/session/cell.ts";
import { readOutline } from "../../lib/request/mod.ts";

/** The files of a ZIP archive whose entries are not compressed. */
function unzip(archive: Uint8Array): ReadonlyMap<string, string> {
  const bytes = Buffer.from(archive);
  const files = new Map<string, string>();
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const name = at + 30;
    const content = name + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const end = content + bytes.readUInt32LE(at + 18);
    files.set(bytes.toString("latin1", name, content), bytes.toString("utf8", content, end));
    at = end;
  }
  return files;
}

const files = unzip((await readFrontEndFiles()).vsix);
const fileOf = (path: string): string => files.get(`extension/${path.replace("./", "")}`) ?? "";
const manifest = JSON.parse(fileOf("package.json"));

interface Cell {
  readonly kind: number;
  readonly document: { languageId: string; getText(): string };
}

const CODE = 2;
const cell = (text: string, languageId = "plaintext", kind = CODE): Cell => ({
  kind,
  document: { languageId, getText: () => text },
});

/** The extension as VS Code runs it, with the part of its interface that the extension uses. */
function activate(): (change: object) => void {
  let changed = (_change: object): void => undefined;
  const vscode = {
    NotebookCellKind: { Code: CODE },
    languages: {
      setTextDocumentLanguage: (document: Cell["document"], language: string) => {
        document.languageId = language;
      },
    },
    workspace: {
      onDidChangeNotebookDocument: (listener: typeof changed) => {
        changed = listener;
        return { dispose: () => undefined };
      },
    },
  };
  const exports: { activate?: (context: { subscriptions: object[] }) => void } = {};
  new Function("require", "exports", fileOf(manifest.main))(() => vscode, exports);
  const subscriptions: object[] = [];
  exports.activate?.({ subscriptions });
  expect(subscriptions).toHaveLength(1);
  return (change) => changed(change);
}

const OURS = {
  notebookType: "jupyter-notebook",
  metadata: { metadata: { kernelspec: { language: "restlab" } } },
};

/** The language of a cell once it was written in a notebook. */
function languageOf(written: Cell, notebook: object = OURS): string {
  const { document } = written;
  activate()({ notebook, cellChanges: [{ cell: written, document }], contentChanges: [] });
  return document.languageId;
}

const shipped = readdirSync("notebooks")
  .filter((name) => name.endsWith(".ipynb"))
  .map((name) => ({ name, ...JSON.parse(readFileSync(`notebooks/${name}`, "utf8")) }));

describe("the languages of cells in VS Code", () => {
  test.each([
    ["a request", cell("GET {{base}}/users"), "http"],
    ["a request below a comment", cell("# why\nPOST /a\n\n{}", "typescript"), "http"],
    ["a setting", cell("%demo", "python"), "http"],
    ["an import", cell("%import a.yaml -o b.http\n%demo", "python"), "http"],
    ["TypeScript", cell("client.last", "http"), "typescript"],
    ["an empty cell", cell(" \n", "http"), "http"],
    ["a cell in a language that a person has chosen", cell("GET /a", "json"), "json"],
    ["text", cell("GET /a", "markdown", 1), "markdown"],
  ])("%s", (_name, written, language) => {
    expect(languageOf(written)).toBe(language);
  });

  test.each(Object.keys(MAGICS).filter((name) => !name.startsWith("%%")))(
    "%s begins a setting here and in outlines",
    (name) => {
      expect(languageOf(cell(name))).toBe("http");
      expect([...readOutline(name)].map(({ kind }) => kind)).toEqual(["setting"]);
      expect(kindOfCell(name).kind).toBe("empty");
    },
  );

  test("a cell that was added or pasted has its language", () => {
    const added = cell("GET /a");
    activate()({ notebook: OURS, cellChanges: [], contentChanges: [{ addedCells: [added] }] });
    expect(added.document.languageId).toBe("http");
  });

  test.each([
    ["another kernel", { ...OURS, metadata: { kernelspec: { language: "python" } } }],
    ["no kernel", { ...OURS, metadata: {} }],
    ["another kind of notebook", { ...OURS, notebookType: "interactive" }],
  ])("a notebook of %s keeps its own", (_name, notebook) => {
    expect(languageOf(cell("GET /a"), notebook)).toBe("plaintext");
  });

  test.each(shipped)("$name is opened with those that writing gives", ({ metadata, cells }) => {
    const notebook = { notebookType: "jupyter-notebook", metadata: { metadata } };
    for (const { cell_type, source, metadata: saved } of cells) {
      if (cell_type !== "code") continue;
      // Without a language of its own, VS Code takes that of the notebook.
      const opened = saved.vscode?.languageId ?? metadata.language_info.name;
      expect(languageOf(cell(source.join("")), notebook), source[0]).toBe(opened);
    }
  });
});

const { loadWASM, OnigScanner, OnigString } = oniguruma;
const { INITIAL, Registry } = textmate;

/** The colours that themes know: the last scope of each piece, unless it is plain. */
async function createHighlighter(): Promise<(text: string) => readonly string[]> {
  const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
  await loadWASM(new Uint8Array(readFileSync(wasm)).buffer);
  const [{ scopeName, path }] = manifest.contributes.grammars;
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fileOf(path), path),
  });
  const grammar = await registry.loadGrammar(scopeName);
  return (text) => {
    let state = INITIAL;
    return text.split("\n").flatMap((line) => {
      const { tokens, ruleStack } = grammar?.tokenizeLine(line, state) ?? {
        tokens: [],
        ruleStack: INITIAL,
      };
      state = ruleStack;
      return tokens.flatMap(({ scopes, startIndex, endIndex }) => {
        const scope = scopes.at(-1)?.replace(/\.(?:http|json)$/, "") ?? "";
        const piece = line.slice(startIndex, endIndex).trim();
        return piece === "" || scope === "source" ? [] : [`${scope} ${piece}`];
      });
    });
  };
}

describe("the highlighting of requests in VS Code", async () => {
  const highlight = await createHighlighter();

  test("is that of the language of request cells, and of files", () => {
    const [language] = manifest.contributes.languages;
    expect(language).toMatchObject({ id: "http", extensions: [".http", ".rest"] });
    expect(manifest.contributes.grammars[0].language).toBe("http");
    expect(JSON.parse(fileOf(language.configuration)).comments).toEqual({ lineComment: "#" });
  });

  test.each([
    [
      "# @name all\n# why\nGET {{base}}/users?a=1 HTTP/1.1\nAccept: text/plain",
      [
        "keyword.other # @name",
        "comment.line.number-sign # why",
        "keyword.control GET",
        "variable.other {{base}}",
        "string.unquoted /users?a=1",
        "constant.language HTTP/1.1",
        "entity.name.tag Accept",
        "punctuation.separator :",
        "string.unquoted text/plain",
      ],
    ],
    [
      '%env test\n@a = 1\nPOST /a\n\n{"a": "x{{b}}", "c": [-1.5, true]}\n### Next\nPUT /e',
      [
        "keyword.control.directive %env test",
        "variable.other @a",
        "keyword.operator =",
        "keyword.control POST",
        'support.type.property-name "a"',
        "variable.other {{b}}",
        'support.type.property-name "c"',
        "constant.numeric -1.5",
        "constant.language true",
        "markup.heading ### Next",
        "keyword.control PUT",
      ],
    ],
  ])("%j", (text, expected) => {
    const words = highlight(text);
    expect(words.filter((word) => expected.includes(word))).toEqual(expected);
  });

  test("names the placeholders and the methods of all shipped requests", () => {
    const sources: readonly string[] = shipped.flatMap(({ cells }) =>
      cells
        .filter(({ metadata }: { metadata: { vscode?: object } }) => metadata.vscode)
        .map(({ source }: { source: readonly string[] }) => source.join("")),
    );
    expect(sources.length).toBeGreaterThan(50);
    for (const source of sources) {
      const words = highlight(source);
      const [, method] = /^([A-Z]{3,}) \S/m.exec(source) ?? [];
      if (method !== undefined) expect(words).toContain(`keyword.control ${method}`);
      const plain = source.replace(/^\s*(?:#|\/\/|@|%).*$/gm, "");
      for (const [placeholder] of plain.matchAll(/\{\{.*?\}\}/g))
        expect(words, source).toContain(`variable.other ${placeholder}`);
    }
  });
});
