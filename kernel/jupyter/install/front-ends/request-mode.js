// Request cells in the editors of notebooks. The installation writes this module and that of a front end into one
// script. CodeMirror 5 (classic Notebook) and the stream parsers of CodeMirror 6 (JupyterLab and
// Notebook 7) call the same methods and share the names of styles.

const METHOD =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|QUERY|ACL|BAN|BIND|CHECKIN|CHECKOUT|COPY|LABEL|LINK|LIST|LOCK|MERGE|MK[A-Z]+|MOVE|M-SEARCH|NOTIFY|ORDERPATCH|PRI|PROPFIND|PROPPATCH|PURGE|REBIND|REFRESH|REPORT|SEARCH|SOURCE|SSE|SUBSCRIBE|U[NP][A-Z]+|VERSION-CONTROL|BASELINE-CONTROL|GRAPHQL|WEBSOCKET|WS)(?=\s)/;
const REQUEST_FILE =
  /^(?:###|\?\?\s|%%http\b|@[^\s=(:]+\s*:?=(?![=>])|(?:\$\s+)?curl(?:\.exe)?\s|import\s+[^'"{*\s]+\.(?:http|rest)$|run\s+(?:#|[^'"\s]+\.(?:http|rest)\b)|[<>]\s*\{%)/;
const URL_ALONE =
  /^(?:[a-z][a-z\d+.-]*:\/\/\S|\{\{\s*[\p{L}_$][^{}]*\}\}[/?]|localhost:\d+(?:[/?]|\s*$))/iu;
const WITH_SCHEME = /^[a-z][\w-]*\s+[a-z][a-z\d+.-]*:\/\/\S/i;
const METHOD_LIKE =
  /^(?:[A-Z][A-Z\d-]{2,}|[Gg]et|[Hh]ead|[Pp]ost|[Pp]ut|[Pp]atch|[Dd]elete|[Oo]ptions|[Tt]race|[Cc]onnect)(?=\s)/;
const CLEAR_TARGET =
  /^\S+\s+(?:\{\{|localhost(?:[:/]|$)|\/[\p{L}_{?.~%-])[^\s;]*(?:\s+HTTP\/[\d.]+)?$/u;

/**
 * The part of the rules of `startsAsRequest` that cells have in practice; the kernel decides.
 *
 * @returns What a line says about the cell that it begins: "request", "code", or nothing yet ("comment", "setting").
 */
export function readHead(line) {
  const text = line.replace(/^\uFEFF/, "").trim();
  if (REQUEST_FILE.test(text)) return "request";
  if (text === "" || /^(?:#(?!!)|\/\/)/.test(text)) return "comment";
  if (/^%(?:demo|env|import|strict)\b/.test(text)) return "setting";
  const isRequest = METHOD.test(text) ? hasTarget(text) : isOtherRequest(text);
  return isRequest ? "request" : "code";
}

function isOtherRequest(text) {
  if (URL_ALONE.test(text) || WITH_SCHEME.test(text)) return true;
  return METHOD_LIKE.test(text) && CLEAR_TARGET.test(text);
}

/** Whether a target follows a known method; otherwise the method is a name in code. */
function hasTarget(text) {
  const [, target = "", ...after] = text.split(/\s+/);
  const isAlone = after.length === 0 || /^HTTP\/[\d.]+$/.test(after.join(" "));
  if (target === "/" || target === "*") return isAlone;
  if (/^(?:\/[=/*]|(?:as|in|instanceof|is|of|satisfies)$)/.test(target)) return false;
  return /^["'\w/{.:[]/.test(target) && (isAlone || /[./:{]/.test(target));
}

/** What the lines of a cell say about it; the first that is more than a comment or a setting decides. */
export function readCell(text) {
  let found = "comment";
  for (const line of text.split("\n")) {
    const kind = readHead(line);
    if (kind === "request" || kind === "code") return kind;
    if (kind === "setting") found = kind;
  }
  return found;
}

export const requestMode = {
  name: "restlab-request",

  startState: () => ({ part: "start", line: "", isJson: undefined, isInString: false }),
  copyState: (state) => ({ ...state }),

  blankLine(state) {
    if (state.part === "headers") state.part = "body";
  },

  token(stream, state) {
    if (stream.sol()) {
      const style = startLine(stream, state);
      if (style !== undefined) return style;
    }
    if (stream.eatSpace()) return null;
    // The style that has a colour of its own in all themes; the classic Notebook draws variables black.
    if (stream.match(/^\{\{.*?\}\}/)) return "string-2";
    return TOKENS[state.line](stream, state);
  },

  languageData: { commentTokens: { line: "#" } },
};

/** Reads what only the beginning of a line decides. Its style, if that is all of the line, or its first word. */
function startLine(stream, state) {
  state.line = "value";
  if (stream.match(/^###.*/)) {
    Object.assign(state, requestMode.startState());
    return "header";
  }
  if (stream.match(/^\s*$/)) {
    requestMode.blankLine(state);
    return null;
  }
  if (stream.match(/^\s*\?\?(?=\s)/)) {
    state.line = "text";
    return "keyword";
  }
  if (state.part === "body") return startBodyLine(stream, state);
  if (stream.match(/^\s*(?:#|\/\/)\s*@[\w-]+/)) return "meta";
  if (stream.match(/^\s*(?:#|\/\/).*/)) return "comment";
  if (state.part === "start") return startRequestLine(stream, state);
  if (stream.match(/^\s+[?&]/, false)) state.line = "target";
  else if (stream.match(/^[^\s:{]+(?=\s*:)/)) return "attribute";
  return undefined;
}

function startRequestLine(stream, state) {
  if (stream.match(/^\s*%.*/)) return "meta";
  if (stream.match(/^\s*@[^\s=]+/)) return "def";
  state.part = "headers";
  state.line = "target";
  return stream.match(/^\s*[A-Za-z][\w-]*(?=\s)/) ? "keyword" : undefined;
}

function startBodyLine(stream, state) {
  if (stream.match(/^[<>]@?\s.*/)) return "link";
  // By the first line.
  state.isJson ??= stream.match(/^\s*[[{](?!\{)/, false) !== null;
  state.line = state.isJson ? "json" : "text";
  return undefined;
}

function eatUntilPlaceholder(stream) {
  stream.next();
  while (!stream.eol() && !stream.match(/^\{\{/, false)) stream.next();
}

const TOKENS = {
  target(stream) {
    if (stream.match(/^HTTP\/[\d.]+\s*$/)) return "meta";
    stream.next();
    while (!stream.eol() && !stream.match(/^(?:\{\{|\s)/, false)) stream.next();
    return "string";
  },
  value(stream) {
    if (stream.match(/^\s*[=:]/)) return null;
    eatUntilPlaceholder(stream);
    return "string";
  },
  text(stream) {
    eatUntilPlaceholder(stream);
    return null;
  },
  json(stream, state) {
    if (state.isInString) return eatString(stream, state);
    if (stream.match(/^"(?:\\.|[^"\\])*"(?=\s*:)/)) return "property";
    if (stream.eat('"')) {
      state.isInString = true;
      return eatString(stream, state);
    }
    if (stream.match(/^-?\d[\d.eE+-]*/)) return "number";
    if (stream.match(/^(?:true|false|null)\b/)) return "atom";
    stream.next();
    return null;
  },
};

function eatString(stream, state) {
  while (!stream.eol() && !stream.match(/^\{\{/, false)) {
    const character = stream.next();
    if (character === "\\") stream.next();
    else if (character === '"') {
      state.isInString = false;
      return "string";
    }
  }
  if (stream.eol()) state.isInString = false;
  return "string";
}
