import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeDocument } from "../../kernel/import/merge-document.ts";
import { restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { importTexts, json } from "./fixture.ts";

/** A collection with a folder of requests for each member, by title and path. */
function collection(folders: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const item = Object.entries(folders).map(([name, requests]) => ({
    name,
    item: Object.entries(requests).map(([title, path]) => ({
      name: title,
      request: { url: `http://a.test/${path}`, description: `About ${path}` },
    })),
  }));
  return json({ info: { name: "Shop" }, item });
}

const OLD = collection({ Users: { List: "users", Add: "add", Remove: "remove" } });
const NEW = collection({
  Admin: { List: "admin" },
  Users: { First: "first", List: "users?all", Add: "add?new", Count: "count" },
});

/** A folder in which `first` was imported. */
async function imported(first: string, target: string) {
  const cwd = makeFolder("merge");
  const run = async (source: string, ...more: readonly string[]) => {
    writeFileSync(join(cwd, "shop.json"), source);
    return await restlab("node", ["import", "shop.json", "-o", target, ...more], { cwd });
  };
  const read = (name = target): string => readFileSync(join(cwd, name), "utf8");
  await run(first);
  return { cwd, run, read, write: (text: string) => writeFileSync(join(cwd, target), text) };
}

describe.each(["shop.http", "shop.ipynb"])("importing into %s again", (target) => {
  test("changes nothing if neither has changed", async () => {
    const { run, read } = await imported(OLD, target);
    const before = read();
    const { status, stdout } = await run(OLD);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `Imported 3 requests:\n  ${target}\n`,
    });
    expect(read()).toBe(before);
  });

  test("keeps what a person changed, takes what the source changed, names what is gone", async () => {
    const { run, read, write } = await imported(OLD, target);
    const before = read().replace("a.test/add", "a.test/mine");
    write(before);
    const dry = await run(NEW, "--dry-run");
    expect(read()).toBe(before);
    const { status, stdout } = await run(NEW);
    expect(status).toBe(0);
    expect(stdout).toBe(
      [
        "Imported 5 requests:",
        `  ${target}`,
        "New:",
        `  ${target}: Admin/List`,
        `  ${target}: Users/First`,
        `  ${target}: Users/Count`,
        "Updated:",
        `  ${target}: Users/List`,
        "Kept as they were changed here, though the source has changed too:",
        `  ${target}: Users/Add`,
        "No longer in the source, and left as they are:",
        `  ${target}: Users/Remove`,
        "",
      ].join("\n"),
    );
    expect(dry.stdout).toBe(stdout.replace("Imported", "Would import"));
    const paths = read().matchAll(/a\.test\/([^\s"\\]+)/g);
    expect([...paths].map(([, path]) => path)).toEqual([
      "admin",
      "first",
      "users?all",
      "mine",
      "count",
      "remove",
    ]);
    // A name that another request refers to stays, whatever comes before it.
    expect(read().match(/@name \w+/g)).toEqual([
      "@name List_2",
      "@name First",
      "@name List",
      "@name Add",
      "@name Count",
      "@name Remove",
    ]);
    expect(read().match(/(?<=# )(?:Admin|Users)(?=[\s"\\])/g)).toEqual(["Admin", "Users"]);
    const again = await run(NEW);
    expect(again.stdout).not.toContain("New:");
    expect(again.stdout).not.toContain("Updated:");
  });

  test("brings a request that was deleted, and leaves one that was renamed", async () => {
    const { run, read, write } = await imported(OLD, target);
    write(read().replace("@name List", "@name all").replace("@source Users/Add", "@was Users/Add"));
    const { stdout } = await run(OLD);
    expect(stdout).toContain(`New:\n  ${target}: Users/Add\n`);
    expect(read().match(/@name \w+/g)).toEqual([
      "@name all",
      "@name Add_2",
      "@name Add",
      "@name Remove",
    ]);
  });
});

test("a notebook keeps its outputs, ids and own cells; ids of new cells are free", async () => {
  const { run, read, write } = await imported(OLD, "shop.ipynb");
  const notebook = JSON.parse(read());
  for (const cell of notebook.cells) cell.metadata = { tags: [cell.id] };
  const output = { output_type: "stream", name: "stdout", text: ["kept"] };
  const code = notebook.cells.filter((cell: { cell_type: string }) => cell.cell_type === "code");
  for (const cell of code) Object.assign(cell, { execution_count: 7, outputs: [output] });
  const own = {
    cell_type: "code",
    id: "own",
    metadata: {},
    source: "1 + 1",
    outputs: [],
    execution_count: null,
  };
  write(
    json({
      ...notebook,
      metadata: { ...notebook.metadata, title: "mine" },
      cells: [own, ...notebook.cells],
    }),
  );
  await run(NEW);
  const { cells, metadata } = JSON.parse(read());
  expect(metadata.title).toBe("mine");
  expect(cells[0]).toEqual(own);
  expect(new Set(cells.map(({ id }: { id: string }) => id)).size).toBe(cells.length);
  const listed = cells.filter((cell: { cell_type: string }) => cell.cell_type === "code");
  const shown = listed.map(({ source, outputs, metadata: { tags } }: never) => [
    /@name (\w+)/.exec([source].flat().join(""))?.[1],
    (outputs as unknown[]).length,
    tags,
  ]);
  // The response of a request that has changed was that of another one.
  expect(shown).toEqual([
    [undefined, 0, undefined],
    ["List_2", 0, undefined],
    ["First", 0, undefined],
    ["List", 0, ["cell-4"]],
    ["Add", 0, ["cell-6"]],
    ["Count", 0, undefined],
    ["Remove", 1, ["cell-8"]],
  ]);
});

test("a file with CRLF keeps it", async () => {
  const { run, read, write } = await imported(OLD, "shop.http");
  write(read().replaceAll("\n", "\r\n"));
  const { stdout } = await run(NEW);
  expect(stdout).toContain("Updated:\n  shop.http: Users/List\n  shop.http: Users/Add\n");
  expect(read().replaceAll("\r\n", "")).not.toContain("\n");
});

test.each([
  ["shop.http", "GET http://a.test/\n"],
  ["shop.ipynb", json({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [] })],
  ["all/README.md", "# Mine\n"],
])("%s of a person is replaced with --force alone", async (target, text) => {
  const { cwd, run, read } = await imported(OLD, target === "all/README.md" ? "all/" : target);
  writeFileSync(join(cwd, target), text);
  const { status, stderr } = await run(NEW);
  expect(status).toBe(2);
  expect(stderr).toContain(`"${target}" exists and was not written by an import; --force replaces`);
  expect(read(target)).toBe(text);
  expect((await run(NEW, "--force")).status).toBe(0);
  expect(read(target)).not.toBe(text);
});

test("a folder gets new documents, and the requests of those that are gone are named", async () => {
  const old = collection({ Users: { List: "users" }, Orders: { List: "orders", Add: "order" } });
  const { cwd, run, read } = await imported(old, "all/");
  const { stdout } = await run(collection({ Users: { List: "users" }, Admin: { List: "admin" } }));
  expect(stdout).toContain(
    "No longer in the source, and left as they are:\n  all/orders.ipynb: List\n  all/orders.ipynb: Add\n",
  );
  expect(readdirSync(join(cwd, "all")).sort()).toEqual([
    "README.md",
    "admin.ipynb",
    "orders.ipynb",
    "users.ipynb",
  ]);
  expect(read("all/README.md")).toBe(
    [
      "# Shop",
      "",
      "- [Users](users.ipynb): 1 request",
      "- [Orders](orders.ipynb): 2 requests",
      "- [Admin](admin.ipynb): 1 request",
      "",
    ].join("\n"),
  );
});

/** The requests of a file, by the key that their marks have. */
function sections(text: string): ReadonlyMap<string, string> {
  const found = text.split(/^(?=###)/m).map((section) => section.trimEnd());
  const keyed = found.map(
    (section) => [/^# @source (\S+) /m.exec(section)?.[1] ?? "", section] as const,
  );
  return new Map(keyed.filter(([key]) => key !== ""));
}

const REQUESTS = fc.dictionary(
  fc.constantFrom("List", "Add", "list", "Get it", "#"),
  fc.constantFrom("a", "b", "c\n\n### x\n# @source A/List 01234567", "d?e=f&g=h&i=j"),
);
const SOURCE = fc.record({ A: REQUESTS, B: REQUESTS, "A/B": REQUESTS }).map(collection);

test("random changes of both sides: each request is as the one that changed it says", () => {
  const property = fc.property(SOURCE, SOURCE, fc.array(fc.boolean()), (old, text, isChanged) => {
    const written = importTexts([old], { keepsMarks: true }).document;
    const changed = new Map<string, string>();
    let before = written;
    for (const [index, [key, section]] of [...sections(written)].entries()) {
      if (isChanged[index] !== true) continue;
      const own = section.replace("GET ", `# of a person\nGET `);
      before = before.replace(section, () => own);
      changed.set(key, own);
    }
    const existing = (): string => before;
    const fresh = importTexts([text], { keepsMarks: true, existing }).document;
    const merge = mergeDocument(before, fresh, false);
    const [was, now] = [sections(before), sections(fresh)];
    expect(merge === undefined).toBe(was.size === 0);
    if (merge === undefined) return;
    const wanted = new Map([...was, ...now, ...changed]);
    const { content, gone, new: added } = merge;
    expect(new Map([...sections(content)].sort())).toEqual(new Map([...wanted].sort()));
    expect(gone).toEqual([...was.keys()].filter((key) => !now.has(key)));
    expect(added).toEqual([...now.keys()].filter((key) => !was.has(key)));
    expect(mergeDocument(content, fresh, false)?.content).toBe(content);
  });
  fc.assert(property, { numRuns: 200 });
});
