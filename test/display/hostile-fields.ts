import type { Exchange } from "../../lib/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

const { request } = sampleExchange("");
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Answers that hold a text in one of their fields, for every field there is. */
export const FIELDS: Readonly<Record<string, (text: string) => Exchange>> = {
  "a cell": (text) => parsedExchange([{ id: 1, name: text }]),
  "a column": (text) => parsedExchange([{ [text]: 1 }]),
  "a column of rows further down": (text) =>
    parsedExchange([...Array.from({ length: 60 }, (_, id) => ({ id })), { [text]: 1 }]),
  "a value": (text) => parsedExchange({ name: text }),
  "a key": (text) => parsedExchange({ [text]: { [text]: [{ [text]: text }] } }),
  "a list": (text) => parsedExchange([text, { a: text }]),
  "a scalar": (text) => parsedExchange(text),
  "a text body": (text) => sampleExchange(text, "text/plain"),
  "a Markdown body": (text) => sampleExchange(text, "text/markdown"),
  "an HTML body": (text) => sampleExchange(text, "text/html"),
  "an XML body": (text) => sampleExchange(`<a b="${text}">${text}</a>`, "application/xml"),
  "a YAML body": (text) => sampleExchange(text, "application/yaml"),
  "a script as a body": (text) => sampleExchange(text, "text/javascript"),
  "a JSON body": (text) => sampleExchange(JSON.stringify({ [text]: [text] })),
  "a broken JSON body": (text) => sampleExchange(`{${text}`),
  "JSON Lines": (text) =>
    sampleExchange(`${JSON.stringify({ [text]: text })}\n${text}\n`, "application/x-ndjson"),
  "a CSV body": (text) =>
    sampleExchange(`a,"${text.replaceAll('"', '""')}"\n${text}\n`, "text/csv"),
  "a TSV body": (text) => sampleExchange(`a\t${text}\n1\t${text}`, "text/tab-separated-values"),
  "a form": (text) =>
    sampleExchange(
      new URLSearchParams({ [text]: text }).toString(),
      "application/x-www-form-urlencoded",
    ),
  "a multipart body": (text) =>
    sampleExchange(
      `--b\r\nContent-Disposition: form-data; name="${text}"; filename="${text}"\r\nContent-Type: ${text}\r\n\r\n${text}\r\n--b--\r\n`,
      "multipart/form-data",
      { headers: new Headers({ "content-type": "multipart/form-data; boundary=b" }) },
    ),
  "an SVG body": (text) =>
    sampleExchange(
      `<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`,
      "image/svg+xml",
    ),
  "a picture that is none": (text) => sampleExchange(text, "image/png"),
  "a sound that is none": (text) => sampleExchange(text, "audio/wav"),
  "a document and its name": (text) =>
    sampleExchange(text, "application/pdf", { url: `http://127.0.0.1/${text}.pdf` }),
  "a binary body": (text) => sampleExchange(text, "application/octet-stream"),
  "a media type": (text) => sampleExchange("x", "", { mediaType: `application/${text}` }),
  "a status text": (text) => sampleExchange("", "", { statusText: text }),
  "a status class": (text) => sampleExchange("", "", { statusClass: text as "Successful" }),
  "a URL and a method": (text) =>
    sampleExchange("", "", { request: { ...request, url: text, writtenUrl: "x", method: text } }),
  "a URL as it was written": (text) =>
    sampleExchange("", "", { request: { ...request, writtenUrl: text } }),
  "the name of a request": (text) =>
    parsedExchange([{ a: 1 }], { request: { ...request, name: text } }),
  "the body of a request": (text) =>
    sampleExchange("", "", {
      request: { ...request, headers: [["content-type", "text/html"]], body: text },
    }),
  "the bytes of a request": (text) =>
    sampleExchange("", "", { request: { ...request, body: bytesOf(text) } }),
  "a request header": (text) =>
    sampleExchange("", "", { request: { ...request, headers: [[text, text]] } }),
  "a response header": (text) =>
    sampleExchange("", "", { headers: [[text, text]] as unknown as Headers }),
  "headers with links": (text) =>
    sampleExchange("", "", {
      headers: [
        ["link", `<${text}>; rel="next"`],
        ["location", text],
        ["refresh", `0;url=${text}`],
        ["content-disposition", `attachment; filename="${text}"`],
        ["set-cookie", `a=${text}`],
      ] as unknown as Headers,
    }),
  "a redirect": (text) =>
    sampleExchange("", "", {
      redirects: [
        {
          method: text,
          url: text,
          status: 302,
          statusText: text,
          statusClass: "Redirection",
          location: text,
        },
      ],
    }),
  "a warning": (text) => sampleExchange("", "", { warnings: [text] }),
};
