import { describe, expect, it } from "vitest";
import { renderBundle, toText, viewExchange } from "../../lib/display/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

function textOf(exchange: ReturnType<typeof parsedExchange>): string {
  const text = toText(viewExchange(exchange), { headers: "folded" });
  return text.slice(text.indexOf("\n\n") + 2);
}

describe("the body of an answer", () => {
  it.each([
    [
      "CSV, quoted fields and all",
      sampleExchange('id,motto\r\n1,"Poetical, science"\r\n2,"Say ""yes""\nor no"\r\n', "text/csv"),
      'id  motto\n──  ────────────────────\n 1  Poetical, science\n 2  "Say \\"yes\\"\\nor no"\n2 rows',
    ],
    [
      "CSV with semicolons",
      sampleExchange("a;b\n1,5;x\n", "text/csv"),
      "a    b\n───  ─\n1,5  x\n1 row",
    ],
    [
      "CSV whose records differ in length",
      sampleExchange("a,b\n1\n1,2,3\n\n", "text/csv"),
      "a  b\n─  ─  ─\n1\n1  2  3\n2 rows",
    ],
    [
      "CSV whose quote is never closed",
      sampleExchange('a,b\n1,"x\n2,y\n', "text/csv"),
      'Warning: The quote of a value in record 2 is not closed: the rest of the text is that value\na  b\n─  ──────────\n1  "x\\n2,y\\n"\n1 row',
    ],
    [
      "a TSV",
      sampleExchange("a\tb\n1\tx, y\n", "text/tab-separated-values"),
      "a  b\n─  ────\n1  x, y\n1 row",
    ],
    ["an empty CSV", sampleExchange("\n", "text/csv"), "Empty table"],
    [
      "JSON Lines with keys that differ",
      sampleExchange('{"a":1}\n\n{"b":"x"}\r\n', "application/x-ndjson"),
      "a  b\n─  ─\n1\n   x\n2 rows",
    ],
    [
      "a JSON text sequence",
      sampleExchange('\u001e{"a":1}\n\u001e{"a":2}\n', "application/json-seq"),
      "a\n─\n1\n2\n2 rows",
    ],
    [
      "JSON Lines of which one does not parse",
      sampleExchange('{"a":1}\noops\n', "application/jsonl"),
      "Warning: 1 line cannot be parsed as JSON: line 2\noops\n\na\n─\n1\n1 row",
    ],
    [
      "a form",
      sampleExchange("name=Ada+L&tag=1&tag=%2C", "application/x-www-form-urlencoded"),
      "name  Ada L\ntag   1\ntag   ,",
    ],
    [
      "a multipart body",
      sampleExchange(
        '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x--\r\n',
        "multipart/form-data",
        { headers: new Headers({ "content-type": 'multipart/form-data; boundary="x"' }) },
      ),
      "name  file   type        size     content\n────  ─────  ──────────  ───────  ───────\na                        1 byte   1\nf     a.txt  text/plain  2 bytes  hi\n2 rows",
    ],
    ["a sound", sampleExchange("RIFF", "audio/wav"), "[file: audio/wav, 4 bytes]"],
    ["a document", sampleExchange("%PDF", "application/pdf"), "[file: application/pdf, 4 bytes]"],
  ])("shows %s", (_, exchange, expected) => {
    expect(textOf(exchange)).toBe(expected);
  });

  it("names columns that only further rows have", () => {
    const rows = Array.from({ length: 120 }, (_, id) => (id === 110 ? { id, late: 1 } : { id }));
    expect(textOf(parsedExchange(rows))).toMatch(
      /50 of 120 rows shown, 1 more column in rows further down: late; client\.table\(…, \{ rows: 120 \}\) shows more$/,
    );
  });

  it("parses of a long body only the head, counts the rest, and knows the digits of its numbers", () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, big: "x".repeat(40) }));
    const text = JSON.stringify({ data: rows, big: 0 }).replace(
      '"big":0',
      '"big":12345678901234567890',
    );
    const exchange = Object.defineProperty(sampleExchange(text), "json", {
      get: () => {
        throw new Error("The whole was parsed");
      },
    });
    const shown = textOf(exchange);
    expect(shown).toContain("data (30,000 rows)");
    expect(shown).toContain("50 of 30,000 rows shown");
    expect(shown).toContain("big  12345678901234567890");
  });

  it("shows the rows of a long body that was cut off", () => {
    const text = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id }))).slice(0, 500);
    const shown = textOf(sampleExchange(text, "application/json", { cut: true }));
    expect(shown).toContain("rows shown");
    expect(shown).toMatch(
      /Warning: The body is incomplete: only its first 500 bytes are available$/,
    );
  });

  it("says once that a stream was stopped", () => {
    const cutReason = "The response was stopped after 14 bytes: it may be incomplete";
    const stopped = { cut: true, cutReason, warnings: [cutReason] };
    const exchange = sampleExchange("data: 1\n\ndata", "text/event-stream", stopped);
    const { "text/plain": shown } = renderBundle(exchange);
    expect(shown.match(/incomplete/g)).toHaveLength(1);
    expect(shown).toContain(`Warning: ${cutReason}`);
  });

  it("says where a long body breaks", () => {
    const text = `[${'{"id":1},'.repeat(200_000)}{"id":`;
    expect(textOf(sampleExchange(text))).toMatch(/^Warning: .*JSON/);
  });

  it("saves a document under a plain name, never under one that a URL makes up", () => {
    const url = (path: string) =>
      sampleExchange("%PDF", "application/pdf", { url: `http://a/${path}` });
    const html = (path: string): string => renderBundle(url(path))["text/html"] ?? "";
    expect(html("x/report.pdf?a=b")).toContain('download="report.pdf"');
    expect(html("..%2f..%2fetc")).toContain('download="body.pdf"');
    expect(html('"><script>.pdf')).toContain('download="body.pdf"');
  });

  it("saves it under the name in its Content-Disposition, or with that ending", () => {
    const html = (disposition: string): string => {
      const headers = new Headers({
        "content-type": "application/pdf",
        "content-disposition": disposition,
      });
      return String(
        renderBundle(sampleExchange("%PDF", "application/pdf", { headers }))["text/html"],
      );
    };
    expect(html('attachment; filename="report.pdf"')).toContain('download="report.pdf"');
    expect(html("attachment; filename=a.pdf")).toContain('download="a.pdf"');
    expect(html("attachment; filename*=UTF-8''%C3%A4.pdf")).toContain('download="body.pdf"');
    expect(html('attachment; filename="../../etc/x.sh"')).toContain('download="body.sh"');
    expect(html('inline; filename="; rm -rf"')).toContain('download="body.pdf"');
  });

  it("folds the body that was sent, in the view of its media type", () => {
    const { request } = sampleExchange("");
    const sent = {
      ...request,
      body: '{"a":1}',
      headers: [["Content-Type", "application/json"]] as const,
    };
    const bundle = renderBundle(sampleExchange("ok", "text/plain", { request: sent }));
    expect(bundle["text/html"]).toMatch(
      /<details[^>]*><summary[^>]*>Request body \(7 bytes\)<\/summary>\n<div style="width:100cqw">\n<div[^>]*>\n<table/,
    );
    expect(bundle["text/plain"]).toContain("Request body (7 bytes)\n  a  1\n");
  });

  it("says how the URL was written where it was sent in another way", () => {
    const { request } = sampleExchange("");
    const written = (writtenUrl: string): string =>
      renderBundle(
        sampleExchange("", "", { request: { ...request, url: "http://a/b%20c", writtenUrl } }),
      )["text/plain"];
    expect(written("http://a/b c")).toContain(
      "GET http://a/b%20c · 0 bytes\nWritten as http://a/b c\n",
    );
    expect(written("http://a/b%20c")).not.toContain("Written");
  });
});
