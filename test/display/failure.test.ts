import { describe, expect, test } from "vitest";
import { renderBundle, viewExchange } from "../../lib/display/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { sampleExchange } from "./sample.ts";

const FORMS = ["text/plain", "text/html", "text/markdown"] as const;

/** An exchange of another copy of the library, one of whose members throws. */
function broken(member: string, mediaType: string): object {
  const { request, url, status, statusText, statusClass, headers, bytes, timing, sizes } =
    sampleExchange("the text that came, token=hush-hush-1", mediaType);
  const whole = { request, url, status, statusText, statusClass, headers, bytes, timing, sizes };
  const rest = { mediaType, redirects: [], warnings: [], secrets: [], cut: false };
  return Object.defineProperty({ ...whole, ...rest }, member, {
    get: () => {
      throw new RangeError("no more room for hush-hush-1");
    },
  });
}

describe("a view that fails", () => {
  test.each([
    ["text", "text/csv", "text/csv"],
    ["text", "text/html", "text/html"],
    ["text", "application/x-ndjson", "application/x-ndjson"],
    ["text", "multipart/form-data; boundary=a", "multipart/form-data; boundary=a"],
  ] as const)("of the %s of %s says so, and the body is text", (member, mediaType, said) => {
    const bundle = renderBundle(broken(member, mediaType), { secrets: ["hush-hush-1"] });
    for (const form of FORMS) {
      const shown = String(bundle[form]);
      expect(shown, form).toContain("200 OK");
      expect(shown, form).toMatch(/content.type/i);
      expect(shown.replaceAll("\\", ""), form).toContain(
        `Showing ${said} failed: no more room for •••`,
      );
      expect(shown, form).toContain("the text that came");
      expect(shown, form).not.toContain("hush-hush-1");
    }
  });

  test("of many columns is none: all forms and a table show the first of them", async () => {
    const line = Array.from({ length: 130_000 }, (_, at) => `c${at}`).join(",");
    const exchange = sampleExchange(`${line}\n${line}\n`, "text/csv");
    const client = createClient();
    const sorted = client.table(exchange, { sort: "c129999", columns: ["c129999", "c0"] });
    expect(renderBundle(sorted)["text/plain"]).toContain("c129999");
    const bundle = renderBundle(exchange);
    for (const form of FORMS) expect(bundle[form]).toContain("more columns not shown");
  });

  test("keeps no other part from being shown", () => {
    const blocks = viewExchange(broken("text", "text/csv") as never);
    expect(blocks.map(({ kind }) => kind)).toEqual([
      ...["status", "headers", "headers", "fold", "fold"],
    ]);
    const [body] = blocks.slice(-1);
    expect(body?.kind === "fold" && body.blocks.map(({ kind }) => kind)).toEqual(["note", "text"]);
  });

  test.each([
    [
      "is a cycle",
      () => ({
        get self() {
          return this;
        },
      }),
      "not JSON",
    ],
    [
      "throws",
      () => {
        throw new Error("not today");
      },
      "not today",
    ],
    ["is nested deeply", deep, "not JSON"],
  ])("a value whose form %s is shown as its error, which is told", (_name, data, said) => {
    const value = {
      [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "x", "application/json": data() }),
    };
    const failures: unknown[] = [];
    const bundle = renderBundle(value, { onFailure: (error) => failures.push(error) });
    expect(bundle["text/plain"]).toContain(said);
    expect(bundle["application/json"]).toBeUndefined();
    expect(failures).toHaveLength(1);
  });
});

function deep(): unknown {
  let value = {};
  for (let level = 0; level < 100_000; level++) value = { value };
  return value;
}
