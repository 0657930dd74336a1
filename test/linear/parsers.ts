import { highlight as highlightEntry } from "../../kernel/repl/editor/mod.ts";
import { isInvalidAboveBody, normalizeInput } from "../../kernel/repl/entry/input.ts";
import { commandOfBareWord, kindOfInput, languageOf } from "../../kernel/repl/entry/mod.ts";
import { scanTypeScript } from "../../kernel/repl/entry/typescript-scan.ts";
import { joinCells } from "../../kernel/run/check-command.ts";
import { parseHttp, parseIpynb } from "../../kernel/run/read-document.ts";
import { requestHint } from "../../kernel/session/cell/mod.ts";
import { findDepth } from "../../kernel/session/compiler/mod.ts";
import { completeRequest, inspectRequest } from "../../kernel/session/complete-request.ts";
import {
  isCompleteRequest,
  isPrivate,
  kindOfCell,
  parseVariableValue,
} from "../../kernel/session/mod.ts";
import { createPlaces } from "../../kernel/session/test-group.ts";
import { mapStack } from "../../kernel/session/trace.ts";
import { toTerminalText } from "../../kernel/terminal/printer.ts";
import { setQuery } from "../../lib/client/page-strategy.ts";
import { isFetchOpen, isPowerShellOpen, parseCommand, parseCurl } from "../../lib/curl/mod.ts";
import { escapeMarkdown, toCode } from "../../lib/display/escape.ts";
import { highlight } from "../../lib/display/highlight.ts";
import {
  cutToWidth,
  fence,
  indentJson,
  textWidth,
  toVisibleJson,
  toVisibleLine,
  toVisibleText,
} from "../../lib/display/mod.ts";
import { parseSeparated } from "../../lib/display/parse-separated.ts";
import { createSplitter, parseMediaType } from "../../lib/exchange/mod.ts";
import { parseChallenges } from "../../lib/http/auth/digest.ts";
import { readAuthorization } from "../../lib/http/auth/mod.ts";
import { learnWhileReading } from "../../lib/http/learn-while-reading.ts";
import { parseTemplate, renderTemplate } from "../../lib/interpolation/mod.ts";
import { findJsonFault, parseJson, readJsonHead } from "../../lib/json/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { completeUrl, startsAsRequest } from "../../lib/request/mod.ts";
import { schemeProblem } from "../../lib/request/target.ts";
import { hasFormat } from "../../lib/schema/formats.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { secretsOfHeader } from "../../lib/secrets/names.ts";
import { locateInUrls } from "../../lib/secrets/pairs.ts";
import { readDotenv } from "../../lib/variables/dotenv.ts";

/** A parser of ours, and the texts that what is pumped stands in. */
export interface Parser {
  readonly run: (text: string) => unknown;
  /** What stands before and behind; nothing unless given. */
  readonly around?: readonly (readonly [before: string, behind: string])[];
}

const client = createClient();

/** Entries of more than 20,000 characters are not highlighted: the longest text is 80,000. */
const shorter = (text: string): string => text.slice(0, text.length / 4);

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

/** An event stream whose chunks are a few bytes. */
function learnInPieces(text: string): void {
  const store = createSecretStore();
  const observer = learnWhileReading(
    { begin: () => undefined, chunk: () => undefined, end: () => undefined },
    store,
  );
  const headers = new Headers({ "content-type": "text/event-stream" });
  observer.begin({ status: 200, statusText: "OK", headers }, "http://h/", 0);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 4) observer.chunk(bytes.subarray(at, at + 4));
}

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
      highlightEntry(shorter(text), "request"),
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
      highlightEntry(shorter(text), "typescript"),
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
  "commands that browsers copy": {
    run: (text) => {
      for (let at = 0; at < text.length; ) {
        at = parseCommand(text, at, text.slice(at, at + 80), () => undefined).next;
      }
      return [isFetchOpen(text), isPowerShellOpen(text)];
    },
    around: [
      ['fetch("http://h", {"a": "', '"})'],
      ['fetch("http://h", ', ")"],
      ['Invoke-WebRequest -Uri "', '"'],
      ['Invoke-WebRequest -Headers @{"a"="', '"}'],
      ["$session = New-Object Microsoft.PowerShell.", ""],
      ["Invoke-WebRequest -Uri ", "@{@{}"],
      ["printf '", "' | curl http://h -d @-"],
      ["curl http://h -d $'", "'"],
    ],
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
  "a .env file": {
    run: (text) => readDotenv(text, {}, {}),
    around: [...VALUES, ["A=", ""], ['A="', '"'], ["A='", ""], ["A=${B:-", ""], ["A={{", ""]],
  },
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
  "an event stream in small chunks": { run: learnInPieces },
  "streamed text": { run: split("text"), around: VALUES },
  "a format of JSON Schema": {
    run: (text) =>
      ["date-time", "duration", "email", "hostname", "ipv4", "uri", "json-pointer"].map((format) =>
        hasFormat(format, text),
      ),
    around: [...VALUES, ["P1Y", "D"], ['"', '"@a.b'], ["a@", ".b"], ["a:", ""], ["/", ""]],
  },
  "the beginning of JSON": {
    run: (text) => readJsonHead([new TextEncoder().encode(text)]),
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
