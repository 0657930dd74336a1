import { joinCells } from "../../kernel/check/join-cells.ts";
import { parseHttp } from "../../kernel/notebook/document/parse-http.ts";
import { parseIpynb } from "../../kernel/notebook/document/parse-ipynb.ts";
import { highlight as highlightEntry } from "../../kernel/repl/editor/highlight.ts";
import { commandOfBareWord } from "../../kernel/repl/entry/bare-word.ts";
import { kindOfInput, languageOf, normalizeInput } from "../../kernel/repl/entry/input.ts";
import { isInvalidAboveBody } from "../../kernel/repl/entry/request-head.ts";
import { scanTypeScript } from "../../kernel/repl/entry/typescript-scan.ts";
import { kindOfCell } from "../../kernel/session/cell/cell.ts";
import { requestHint } from "../../kernel/session/cell/request-hint.ts";
import { parseVariableValue } from "../../kernel/session/client/variable-value.ts";
import {
  completeRequest,
  inspectRequest,
} from "../../kernel/session/completion/complete-request.ts";
import { isCompleteRequest } from "../../kernel/session/completion/is-complete-request.ts";
import { mapStack } from "../../kernel/session/output/trace.ts";
import { isPrivate } from "../../kernel/session/private-cell.ts";
import { createPlaces } from "../../kernel/session/tests/places.ts";
import { findDepth } from "../../kernel/session/typescript/depth.ts";
import { toTerminalText } from "../../kernel/terminal/visible.ts";
import { setQuery } from "../../lib/client/batch/page-strategy.ts";
import { parseCurl } from "../../lib/curl/read/parse.ts";
import { parseSeparated } from "../../lib/display/bodies/separated.ts";
import { escapeMarkdown, fence, toCode } from "../../lib/display/formats/escape-markdown.ts";
import { highlight } from "../../lib/display/formats/highlight.ts";
import { indentJson } from "../../lib/display/json-preview/indent-json.ts";
import { createJsonHead } from "../../lib/display/json-preview/json-head.ts";
import { toVisibleJson, toVisibleLine, toVisibleText } from "../../lib/display/mod.ts";
import { cutToWidth, textWidth } from "../../lib/display/text/width.ts";
import { parseJson } from "../../lib/exchange/body/json.ts";
import { parseMediaType } from "../../lib/exchange/body/media-type.ts";
import { createSplitter } from "../../lib/exchange/mod.ts";
import { parseChallenges } from "../../lib/http/middleware/credentials/digest/challenge.ts";
import { readAuthorization } from "../../lib/http/middleware/credentials/read-authorization.ts";
import { parseTemplate, renderTemplate } from "../../lib/interpolation/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { startsAsRequest } from "../../lib/request/mod.ts";
import { findJsonFault } from "../../lib/request/render/json-fault.ts";
import { completeUrl, schemeProblem } from "../../lib/request/render/url.ts";
import { locateInUrls } from "../../lib/secrets/find/find-url.ts";
import { secretsOfHeader } from "../../lib/secrets/find/headers.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { parseDotenv } from "../../lib/variables/environments/dotenv.ts";

/** A parser of ours, and the texts that what is pumped stands in. */
export interface Parser {
  readonly run: (text: string) => unknown;
  /** What stands before and behind; nothing unless given. */
  readonly around?: readonly (readonly [before: string, behind: string])[];
}

const client = createClient();
const POST = "POST http://h/x\n";

/** Where in a request text something can be pumped. */
const REQUESTS: NonNullable<Parser["around"]> = [
  ["", ""],
  ["GET http://h/?", ""],
  ["GET http://h/x\nA: ", "x"],
  ["GET http://h/x\n", ""],
  [`${POST}\n`, ""],
  [`${POST}Content-Type: application/json\n\n{"a": `, ""],
  [`${POST}Content-Type: application/x-www-form-urlencoded\n\n`, "x"],
  [`${POST}Content-Type: multipart/form-data; boundary=b\n\n--b\n`, "\n--b--"],
  [`${POST}X-Request-Type: GraphQL\n\nquery { `, "}"],
  ["# @prompt ", "\nGET http://h/{{a}}"],
  ["@a = {", "}\nGET http://h/{{a}}"],
  ["curl http://h/x ", ""],
  ['curl "http://h/x" -H "', '"'],
  ['curl ^"http://h/x^" ', ""],
  ["curl http://h/", ""],
];

/** For what looks at lines and words, and not at what they mean. */
const LINES: NonNullable<Parser["around"]> = [
  ["", ""],
  ["GET http://h/x\nA: ", "x"],
  [`${POST}\n{"a": "`, '"}'],
  ["curl http://h/x -d '", "'"],
];

const VALUES: NonNullable<Parser["around"]> = [
  ["", ""],
  ["a", "a"],
  ['"', '"'],
  ["{", "}"],
  ["<a>", "</a>"],
];

/** The secrets of a text, found and masked. */
function masked(learn: (store: ReturnType<typeof createSecretStore>, text: string) => void) {
  return (text: string): void => {
    const store = createSecretStore();
    store.setVariable("token", "sup3r-s3cret-token", true);
    learn(store, text);
    store.mask(text);
    const stream = store.openStream();
    for (let at = 0; at < text.length; at += 16_384) stream.write(text.slice(at, at + 16_384));
    stream.end();
  };
}

const body = (mediaType: string): Parser => ({
  run: masked((store, text) =>
    store.learn({ kind: "body", text: () => text, mediaType }, "server"),
  ),
  around: [
    ["", ""],
    ["{", "}"],
    ["<a>", "</a>"],
  ],
});

const split = (kind: "events" | "lines" | "text") => (text: string) => {
  const splitter = createSplitter(kind);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 16_384) splitter.push(bytes.subarray(at, at + 16_384));
  splitter.end();
};

/** What reads texts, each on its own. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  "a check of requests": { run: (text) => client.check(text), around: REQUESTS },
  "requests as sent": {
    run: (text) => client.renderAll(text, { missing: "keep" }),
    around: REQUESTS,
  },
  "what a cell is": { run: (text) => [startsAsRequest(text), kindOfCell(text)], around: LINES },
  "the cells of a file": {
    run: (text) => [joinCells([{ text, line: 1 }]), parseHttp(text, "a.http")],
    around: LINES,
  },
  "a notebook": { run: (text) => parseIpynb(text, "a.ipynb"), around: VALUES },
  "a request at the prompt": {
    run: (text) => [
      languageOf(text),
      normalizeInput(kindOfInput(text)),
      isInvalidAboveBody({ kind: "request", text, source: text }),
      isCompleteRequest(text),
      commandOfBareWord(text),
      highlightEntry(text.slice(0, 20_000), "request"),
    ],
    around: LINES,
  },
  "completion of a request": {
    run: (text) => [
      completeRequest(client, text, text.length),
      inspectRequest(client, text, text.length),
    ],
    around: [...LINES, ["GET {{a.", ""]],
  },
  "TypeScript at the prompt": {
    run: (text) => [
      scanTypeScript(text),
      highlightEntry(text.slice(0, 20_000), "typescript"),
      findDepth(text),
      requestHint(text),
    ],
    around: [...VALUES, ["const a = `", "`"], ["/*", "*/"], ["/", "/"]],
  },
  "the stack of an error": {
    run: (text) => {
      const error = new Error(text);
      mapStack(error, ({ line, column }) => ({ file: "cell 1", line, column }));
      createPlaces(() => undefined, "cell 2", undefined)(error);
    },
    around: [...VALUES, ["at ", ":1:2"], ["a@", ""]],
  },
  "whether an entry is private": {
    run: (text) => isPrivate(text, client.secrets),
    around: [...LINES, ["setVar('", "', 1)"], ["http://", ":a@b"], [".set ", " a"]],
  },
  "a curl command": {
    run: (text) => parseCurl(text, 0, () => undefined),
    around: REQUESTS.filter(([before]) => before.startsWith("curl")),
  },
  "a template": {
    run: (text) => renderTemplate(parseTemplate(text), { a: 1 }, "text"),
    around: [...VALUES, ["{{", "}}"], ["{{a.$", "}}"], ["{{a.$[?(", ")]}}"], ["{{a[", "]}}"]],
  },
  "a URL": { run: (text) => [completeUrl(text, "h"), schemeProblem(text, true)], around: VALUES },
  "a query": { run: (text) => setQuery(`http://h/?${text}`, "page", "2"), around: VALUES },
  "a .env file": { run: parseDotenv, around: [...VALUES, ["A=", ""], ['A="', '"'], ["A='", ""]] },
  JSON: {
    run: (text) => [findJsonFault(text), parseJson(text)],
    around: [...VALUES, ['{"a":', "}"]],
  },
  "the value of --var": { run: parseVariableValue, around: VALUES },
  "a media type": {
    run: (text) => parseMediaType(text),
    around: [...VALUES, ["text/html; a=", ""], ['text/html; a="', '"']],
  },
  "a challenge": {
    run: parseChallenges,
    around: [...VALUES, ["Digest ", ""], ['Digest realm="', '"']],
  },
  "an Authorization header": {
    run: (text) => readAuthorization(text, () => undefined),
    around: [...VALUES, ["Basic ", ""], ["Digest ", " a"], ["OAuth2 ", ""]],
  },
  "an event stream": { run: split("events"), around: [["data: ", "\n\n"]] },
  "JSON lines": { run: split("lines"), around: VALUES },
  "streamed text": { run: split("text"), around: VALUES },
  "the beginning of JSON": {
    run: (text) => createJsonHead().feed(new TextEncoder().encode(text)),
    around: [...VALUES, ['{"a":', "}"]],
  },
  "separated values": { run: (text) => parseSeparated(text, ",", 100), around: VALUES },
  "highlighted text": {
    run: (text) => ["html", "xml", "json"].map((language) => highlight(text, language)),
    around: [...VALUES, ["<a b='", "'>"]],
  },
  Markdown: {
    run: (text) => [escapeMarkdown(text), toCode(text), fence(text, "a")],
    around: VALUES,
  },
  "visible text": {
    run: (text) => [
      toVisibleLine(text),
      toVisibleText(text),
      toVisibleJson(text),
      toTerminalText(text, true),
      textWidth(text),
      cutToWidth(text, 80),
    ],
    around: [...VALUES, ["\u001b[", "m"]],
  },
  "indented JSON": { run: indentJson, around: VALUES },
  "secrets of source": {
    run: masked((store, text) => store.learn({ kind: "source", text }, "person")),
    around: LINES,
  },
  "secrets of a URL": {
    run: masked((store, text) => store.learn({ kind: "url", url: text }, "person")),
    around: [["http://h/?a=", ""]],
  },
  "secrets of headers": {
    run: (text) => [
      secretsOfHeader("Cookie", text),
      secretsOfHeader("Authorization", text),
      locateInUrls(text, () => true),
    ],
    around: [["", ""]],
  },
  "secrets of JSON": body("application/json"),
  "secrets of a form": body("application/x-www-form-urlencoded"),
  "secrets of HTML": body("text/html"),
  "secrets of XML": body("application/xml"),
  "secrets of lines": body("text/plain"),
  "secrets of events": body("text/event-stream"),
  "secrets of separated values": body("text/csv"),
  "secrets of several parts": body("multipart/form-data"),
};
