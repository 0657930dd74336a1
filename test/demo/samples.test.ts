import { describe, expect, test } from "vitest";
import { ask, createApi } from "./request.ts";

async function bytesOf(path: string): Promise<Buffer> {
  return Buffer.from(await (await ask(createApi(), `GET ${path}`)).arrayBuffer());
}

describe("samples for the display", () => {
  test.each([
    ["/profile", "application/json", '"location":{'],
    ["/tsv", "text/tab-separated-values; charset=utf-8", "\tAda Lovelace\t"],
    ["/jsonl", "application/x-ndjson", '}\n{"at"'],
    ["/markdown", "text/markdown", "**15**"],
    ["/form", "application/x-www-form-urlencoded", "tag=math&tag=engine"],
  ])("%s is %s", async (path, type, part) => {
    const answer = await ask(createApi(), `GET ${path}`);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(await answer.text()).toContain(part);
  });

  test("/tone.wav has the length in its header", async () => {
    const bytes = await bytesOf("/tone.wav");
    expect(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12)).toBe("RIFFWAVE");
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
  });

  test("/note.pdf lists the offsets of its objects", async () => {
    const text = (await bytesOf("/note.pdf")).toString("latin1");
    const places = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
    expect(places).toHaveLength(5);
    places.forEach((place, index) => {
      expect(text.slice(place)).toMatch(new RegExp(`^${index + 1} 0 obj\\n`));
    });
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
    expect(text.slice(start)).toMatch(/^xref\n/);
  });
});
