import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawImage } from "../../../kernel/repl/image.ts";
import { createClient, type Exchange } from "../../../lib/mod.ts";

const BYTES = new Uint8Array(5000).fill(7);

describe("drawImage", () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", `image/${request.url?.slice(1)}`);
    response.end(BYTES);
  });
  const answers = new Map<string, Exchange>();
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    for (const type of ["png", "jpeg", "svg+xml"]) {
      answers.set(type, await createClient().send(`GET http://127.0.0.1:${port}/${type}`));
    }
  });
  afterAll(() => server.close());

  test("kitty gets the data of a PNG in chunks", () => {
    const text = drawImage(answers.get("png"), { TERM: "xterm-kitty" }) ?? "";
    const pieces = text.trim().split("\u001b\\").filter(Boolean);
    expect(pieces).toHaveLength(2);
    expect(pieces[0]?.startsWith("\u001b_Ga=T,f=100,q=2,m=1;")).toBe(true);
    const data = pieces.map((piece) => piece.slice(piece.indexOf(";") + 1)).join("");
    expect(new Uint8Array(Buffer.from(data, "base64"))).toEqual(BYTES);
  });

  test("iTerm2 and compatible terminals get it in one sequence", () => {
    const text = drawImage(answers.get("jpeg"), { TERM_PROGRAM: "WezTerm" }) ?? "";
    expect(text.startsWith("\u001b]1337;File=inline=1;size=5000;")).toBe(true);
    expect(text).toContain(`:${Buffer.from(BYTES).toString("base64")}\u0007\n`);
  });

  test.each([
    ["jpeg", { TERM: "xterm-kitty" }],
    ["svg+xml", { TERM_PROGRAM: "iTerm.app" }],
    ["png", { TERM: "xterm-256color" }],
    ["png", { TERM: "xterm-kitty", TMUX: "x" }],
    ["png", { TERM: "screen-256color", TERM_PROGRAM: "iTerm.app" }],
  ])("%s is only described in %j", (type, environment) => {
    expect(drawImage(answers.get(type), environment)).toBeUndefined();
  });

  test("what a value displays is drawn, too", () => {
    const data = Buffer.from(BYTES).toString("base64");
    const value = { [Symbol.for("Jupyter.display")]: () => ({ "image/png": data }) };
    const drawn = drawImage(answers.get("png"), { TERM: "xterm-kitty" });
    expect(drawImage(value, { TERM: "xterm-kitty" })).toBe(drawn);
    expect(drawImage(value, { TERM: "dumb" })).toBeUndefined();
    const failing = {
      [Symbol.for("Jupyter.display")]: () => {
        throw new Error("no");
      },
    };
    expect(drawImage(failing, { TERM: "xterm-kitty" })).toBeUndefined();
  });

  test("other values are not drawn", () => {
    expect(drawImage("text", { TERM: "xterm-kitty" })).toBeUndefined();
  });
});
