import { expect, test } from "vitest";
import { joinCells } from "../../kernel/run/check-command.ts";

test("joinCells keeps the lines of a text file and of the cells of a notebook", () => {
  const file = joinCells([
    { text: "GET http://a", line: 2 },
    { text: "###\nGET http://b", line: 6 },
  ]);
  expect(file.text.split("\n")).toEqual(["", "GET http://a", "", "", "", "###", "GET http://b"]);
  expect(file.locate(7)).toEqual({ line: 7 });
  const cells = joinCells([
    { text: 'client.setVar("a", 1); client.setVar(`b`, 2); client.setVar(name, 3)' },
    { text: "%env dev\n%%http\nGET http://a" },
    { text: "%%nonsense" },
    { text: "%demo" },
    { text: "GET http://b\r\nX: 1" },
  ]);
  expect(cells.setNames).toEqual(["a", "b", "base"]);
  expect(cells.environment).toBe("dev");
  const lines = cells.text.split("\n");
  expect(cells.locate(lines.indexOf("GET http://a") + 1)).toEqual({ cell: 2, line: 3 });
  expect(cells.locate(lines.indexOf("X: 1") + 1)).toEqual({ cell: 5, line: 2 });
});
