import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HistoryFile, openSessionHistory } from "../../kernel/platform/mod.ts";
import { asNobody } from "../support/as-nobody.ts";

const place = mkdtempSync(join(tmpdir(), "restlab-history-"));
let made = 0;
afterAll(() => rmSync(place, { recursive: true, force: true }));

const newFolder = (): string => join(place, String(++made), "deep", "history");
const fileOf = (day: number, id: number): string =>
  `2026-01-${String(day).padStart(2, "0")}T00-00-00.000Z-00000000-0000-4000-8000-${String(id).padStart(12, "0")}.jsonl`;

async function opened(folder: string | undefined, maxSessions?: number) {
  const troubles: string[] = [];
  const onWarning = (message: string): void => void troubles.push(message);
  return { history: await openSessionHistory({ path: folder, onWarning }, maxSessions), troubles };
}

function fill(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

test("HistoryFile keeps what another session has appended while it is rewritten", async () => {
  const path = join(place, "shared");
  writeFileSync(path, '"one"\nbroken\n"two"\n');
  const file = new HistoryFile({ path, onWarning: () => undefined });
  const content = await file.read();
  appendFileSync(path, '"beside it"\n');
  await file.rewrite(content.entries, content);
  expect(readFileSync(path, "utf8")).toBe('"one"\n"two"\n"beside it"\n');
});

describe("openSessionHistory", () => {
  test("returns the cells of earlier sessions, in private files", async () => {
    const folder = newFolder();
    const first = await opened(folder);
    expect(await first.history.former()).toEqual([]);
    first.history.file.add({ line: 1, input: "GET /x\nA: b" });
    first.history.file.add({ line: 2, input: "  \n" });
    first.history.file.add({ line: 3, input: "x".repeat(50_001) });
    first.history.file.add({ line: 4, input: "🐱" });
    await expect.poll(() => existsSync(folder) && readdirSync(folder)).toHaveLength(1);
    first.history.file.flush();
    const second = await opened(folder);
    expect(await second.history.former()).toEqual([
      [
        { line: 1, input: "GET /x\nA: b" },
        { line: 4, input: "🐱" },
      ],
    ]);
    const [file = ""] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect([...first.troubles, ...second.troubles]).toEqual([]);
  });

  test("cells that became private are removed, written or pending", async () => {
    const folder = newFolder();
    fill(folder, { [fileOf(1, 1)]: '[1,"old s3cret"]\n' });
    const { history, troubles } = await opened(folder);
    history.file.add({ line: 1, input: "one" });
    history.file.add({ line: 2, input: "with s3cret" });
    history.file.flush();
    history.file.add({ line: 3, input: "a second s3cret" });
    history.file.add({ line: 4, input: "four" });
    history.file.review((input) => !input.includes("s3cret"), 1);
    await expect
      .poll(async () => (await (await opened(folder)).history.former()).at(-1))
      .toEqual([
        { line: 1, input: "one" },
        { line: 4, input: "four" },
      ]);
    const [old = "", own = ""] = readdirSync(folder).map((file) =>
      readFileSync(join(folder, file), "utf8"),
    );
    expect(old).toContain("s3cret");
    expect(own).not.toContain("s3cret");
    history.file.review(() => false, 1);
    history.file.flush();
    expect(readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))).toEqual([
      old,
      own,
    ]);
    expect(troubles).toEqual([]);
  });

  test("concurrent sessions have their own files; a later session is not an earlier one", async () => {
    const folder = newFolder();
    fill(folder, { [fileOf(1, 1)]: '[1,"old"]\n' });
    const sessions = [];
    for (let index = 0; index < 5; index++) sessions.push(await opened(folder));
    for (let line = 1; line <= 20; line++) {
      for (const [index, { history }] of sessions.entries()) {
        history.file.add({ line, input: `cell ${line} of ${index}` });
        history.file.flush();
      }
    }
    expect(await sessions[0]?.history.former()).toEqual([[{ line: 1, input: "old" }]]);
    const all = await (await opened(folder)).history.former();
    expect(all.map((cells) => cells.length).toSorted()).toEqual([1, 20, 20, 20, 20, 20]);
    expect(new Set(all.slice(1).map((cells) => cells[19]?.input)).size).toBe(5);
  });

  test("the oldest sessions are removed", async () => {
    const folder = newFolder();
    const days = Array.from({ length: 9 }, (_, index) => [
      fileOf(index + 1, 1),
      `[1,"${index}"]\n`,
    ]);
    fill(folder, { ...Object.fromEntries(days), "mine.txt": "no session" });
    const { history } = await opened(folder, 3);
    expect((await history.former()).flat().map(({ input }) => input)).toEqual(["6", "7", "8"]);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  test("broken lines are skipped with one warning; a shared file is made private", async () => {
    const folder = newFolder();
    fill(folder, {
      [fileOf(1, 1)]: Buffer.from(
        '[1,"good"]\n\xff\x00 no\n{"a":1}\n["1","x"]\n[2,"also"]\n[3,"to',
        "latin1",
      ),
      [fileOf(2, 1)]: "no line at all",
    });
    chmodSync(join(folder, fileOf(1, 1)), 0o644);
    const { history, troubles } = await opened(folder);
    const good = [
      { line: 1, input: "good" },
      { line: 2, input: "also" },
    ];
    expect(await history.former()).toEqual([good, []]);
    expect(await history.former()).toEqual([good, []]);
    expect(troubles).toEqual([
      expect.stringMatching(/: (?:4 broken lines were|1 broken line was) skipped$/),
    ]);
    expect(statSync(join(folder, fileOf(1, 1))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["a file", "."],
    ["a place below a file", "x"],
  ])(
    "%s in place of the folder causes one warning, and the session continues",
    async (_name, below) => {
      const folder = newFolder();
      fill(join(folder, ".."), { history: "" });
      const { history, troubles } = await opened(join(folder, below));
      for (const line of [1, 2]) {
        history.file.add({ line, input: "1" });
        history.file.flush();
      }
      expect(await history.former()).toEqual([]);
      expect(troubles).toHaveLength(1);
      expect(troubles[0]).toContain("history");
    },
  );

  test("a read-only folder causes one warning, and its sessions are read", async () => {
    const folder = newFolder();
    fill(folder, { [fileOf(1, 1)]: '[1,"old"]\n' });
    await asNobody([place, folder, join(folder, fileOf(1, 1))], async () => {
      chmodSync(folder, 0o500);
      const { history, troubles } = await opened(folder, 0);
      const later = await opened(folder);
      later.history.file.add({ line: 1, input: "1" });
      later.history.file.flush();
      expect(await later.history.former()).toEqual([[{ line: 1, input: "old" }]]);
      expect(later.troubles).toEqual([expect.stringContaining("is not kept beyond this session")]);
      expect(await history.former()).toEqual([]);
      expect(troubles).toEqual([]);
      chmodSync(folder, 0o700);
    });
  });

  test("a folder in place of a file causes a warning, and the other sessions are read", async () => {
    const folder = newFolder();
    fill(folder, { [fileOf(2, 1)]: '[1,"read"]\n' });
    mkdirSync(join(folder, fileOf(1, 1)));
    const { history, troubles } = await opened(folder);
    expect(await history.former()).toEqual([[], [{ line: 1, input: "read" }]]);
    expect(troubles).toEqual([expect.stringContaining("it is not a file")]);
  });

  test("a session that was removed meanwhile is empty", async () => {
    const folder = newFolder();
    fill(folder, { [fileOf(1, 1)]: '[1,"a"]\n', [fileOf(2, 1)]: '[1,"b"]\n' });
    const { history, troubles } = await opened(folder);
    rmSync(join(folder, fileOf(1, 1)));
    expect(await history.former()).toEqual([[], [{ line: 1, input: "b" }]]);
    expect(troubles).toEqual([]);
  });

  test("without a folder nothing is stored or found", async () => {
    const { history, troubles } = await opened(undefined);
    history.file.add({ line: 1, input: "1" });
    history.file.flush();
    expect(await history.former()).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("each cell is one line of JSON", async () => {
    const folder = newFolder();
    const { history } = await opened(folder);
    history.file.add({ line: 1, input: 'a\n"b"' });
    history.file.flush();
    const [file = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, file), "utf8")).toBe('[1,"a\\n\\"b\\""]\n');
  });
});
