import { hasBytes } from "./bytes.ts";
import type { ConnectionState, CurlConnection, CurlField, State } from "./command.ts";
import { addData, encodeData, refuseBytes } from "./data.ts";
import { nameOfFile, typeOfFile } from "./file-names.ts";
import type { Report, Word } from "./words.ts";

/** The options for proxy and certificates. */
const CONNECTION_EFFECTS: Readonly<Record<string, Effect>> = {
  insecure: ({ connection }) => {
    connection.insecure = true;
  },
  "path-as-is": ({ connection }) => {
    connection.pathAsIs = true;
  },
  http2: ({ connection }) => {
    connection.http2 = true;
  },
  "http2-prior-knowledge": ({ connection }) => {
    connection.http2 = "prior-knowledge";
  },
  proxy: plain(({ connection }, value, word, report) => {
    if (/^socks/i.test(value)) {
      report(word.span, `The proxy "${value}" is not an HTTP proxy`, "Use an HTTP proxy");
    }
    connection.proxy = value === "" ? false : withPort(value);
  }),
  "proxy-user": plain(({ connection }, value) => {
    connection.proxyUser = value;
  }),
  noproxy: plain(({ connection }, value) => {
    connection.noProxy = value;
  }),
  cacert: plain(({ connection }, value) => {
    connection.ca = value;
  }),
  cert: plain(({ connection }, value) => {
    // `file:passphrase`; a colon in the file name is escaped, except after a drive letter.
    const [, file = value, passphrase] =
      /^((?:[A-Za-z]:(?=[\\/]))?(?:\\:|[^:])*)(?::(.*))?$/s.exec(value) ?? [];
    connection.cert = file.replaceAll("\\:", ":");
    if (passphrase !== undefined) connection.passphrase = passphrase;
  }),
  "unix-socket": plain(({ connection }, value) => {
    connection.unixSocket = value;
  }),
  key: plain(({ connection }, value) => {
    connection.key = value;
  }),
  pass: plain(({ connection }, value) => {
    connection.passphrase = value;
  }),
  "cert-type": onlyPem,
  "key-type": onlyPem,
};

/** The effects of the options of kind `used`. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  request: (state, value) => {
    state.method = value;
  },
  header: addHeader,
  data: addData,
  "data-ascii": addData,
  "data-binary": (state, value, word, report) => addData(state, value, word, report, "binary"),
  "data-raw": (state, value) => void state.data.push([{ text: value }]),
  "data-urlencode": (state, value, word, report) =>
    void state.data.push(encodeData(state, value, word, report)),
  json: (state, value, word, report) => {
    state.isJson = true;
    addData(state, value, word, report, "json");
  },
  form: (state, value, word, report) => {
    const field = parseField(value, word, report);
    if (field !== undefined) state.fields.push(field);
  },
  "form-string": (state, value) => {
    const [name = "", ...rest] = value.split("=");
    state.fields.push({ name, value: { text: rest.join("=") } });
  },
  user: (state, value) => {
    state.user = value;
  },
  "oauth2-bearer": (state, value) => void state.made.set("Authorization", `Bearer ${value}`),
  cookie: (state, value, word, report) => {
    if (value.includes("=")) state.cookies.push(value);
    else if (value !== "")
      namesFile(({ cookieFiles }, path) => void cookieFiles.push(path))(state, value, word, report);
  },
  "cookie-jar": namesFile((state, path) => {
    state.cookieJar = path;
  }),
  "user-agent": (state, value) => void state.made.set("User-Agent", value || undefined),
  referer: (state, value) =>
    void state.made.set("Referer", value.replace(/;auto$/, "") || undefined),
  head: (state) => {
    state.isHead = true;
  },
  location: (state) => {
    state.follows = true;
  },
  get: (state) => {
    state.isGet = true;
  },
  fail,
  "fail-with-body": fail,
  "write-out": (state, value) => {
    state.writeOut = value;
  },
  "upload-file": (state, value) => {
    state.uploads = value;
  },
  url: (state, value, word) => void state.urls.push({ ...word, text: value }),
  "url-query": (state, value, word, report) => {
    const isEncoded = value.startsWith("+");
    state.query.push(
      isEncoded ? [{ text: value.slice(1) }] : encodeData(state, value, word, report),
    );
  },
  range: (state, value) => void state.made.set("Range", `bytes=${value}`),
  globoff: (state) => {
    state.isLiteral = true;
  },
  "max-time": (state, value, word, report) => {
    state.seconds = number(value, word, report);
  },
  retry: (state, value, word, report) => {
    state.retries = number(value, word, report);
  },
  output: (state, value, word, report) => {
    if (value !== "-") state.output = value;
    if (value === "") report(word.span, "The output file has no name", "Write a name after -o");
  },
  "remote-name": (state) => {
    state.savesByName = true;
  },
  "continue-at": (state, value, word, report) => {
    state.resumes = true;
    const hint = "Write -C -, or -r for a range of the response";
    if (value !== "-")
      report(word.span, "Continuing a file at a given byte is not supported", hint);
  },
  "max-redirs": (state, value, word, report) => {
    // The client has no unlimited number of redirects.
    state.redirectLimit = value === "-1" ? 1000 : number(value, word, report);
  },
  basic: (state) => {
    state.scheme = "basic";
  },
  digest: (state) => {
    state.scheme = "digest";
  },
  "aws-sigv4": (state, value, word, report) => {
    const [provider = "", , region, service] = value.split(":");
    if (provider.toLowerCase() !== "aws") {
      report(word.span, `The signature "${value}" is not supported`, "Use aws:amz");
    }
    state.scheme = "aws";
    state.signedFor = [region && `region:${region}`, service && `service:${service}`]
      .filter(Boolean)
      .join(" ");
  },
  ...CONNECTION_EFFECTS,
  compressed: (state) => {
    state.isCompressed = true;
  },
};

function fail(state: State): void {
  state.fails = true;
}

/** Headers that every request has. */
const NEEDED = /^(?:host|content-length|connection)$/i;

function addHeader(state: State, value: string, word: Word, report: Report): void {
  if (value.startsWith("@")) {
    report(
      word.span,
      `Reading headers from the file "${value.slice(1)}" is not supported`,
      "Write the headers in the command",
    );
    return;
  }
  const [, written = "", sign, rest = ""] = /^([^:;]*)([:;]?)([\s\S]*)$/.exec(value) ?? [];
  const [name, text] = [written.trim(), rest.trim()];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || sign === "" || (sign === ";" && rest !== "")) {
    report(word.span, `"${value}" is not a header`, "Write it as Name: value");
  } else if (sign === ";" || text !== "") state.headers.push([name, text]);
  else if (NEEDED.test(name)) {
    report(
      word.span,
      `The header "${name}" cannot be left out: no request is sent without it`,
      `Remove -H ${name}:`,
    );
  } else state.removed.add(name.toLowerCase());
}

function number(value: string, word: Word, report: Report): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  report(word.span, `"${value}" is not a number`, "Write a number");
  return undefined;
}

/** Applies an option to the state; `word` is the word of its value. */
type Effect = (state: State, value: string, word: Word, report: Report) => void;

/** Refuses placeholders, since the option is needed before they are rendered. */
function plain(effect: Effect): Effect {
  return (state, value, word, report) => {
    if (/\{\{\s*[\p{L}_$%]/u.test(value)) {
      const hint =
        "Write the value itself, or use the option of the client: client.extend({ connection: … })";
      report(word.span, `"${value}" cannot contain a placeholder`, hint);
    } else effect(state, value, word, report);
  };
}

/** A file of cookies, which is not a standard stream. */
function namesFile(effect: (state: State, path: string) => void): Effect {
  return plain((state, value, word, report) => {
    if (value !== "-" && value !== "") effect(state, value);
    else
      report(word.span, "Cookies are read from files, and saved to files", "Write the path of one");
  });
}

function onlyPem(...[, value, word, report]: Parameters<Effect>): void {
  if (value.toUpperCase() === "PEM") return;
  report(word.span, `Certificates of the type "${value}" are not supported`, "Convert it to PEM");
}

/** The defaults of curl: an HTTP proxy, and port 1080. */
function withPort(value: string): string {
  const [, scheme = "http", authority = "", rest = ""] =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?([^/]*)([\s\S]*)$/i.exec(value) ?? [];
  const hasPort = /:\d+$/.test(authority.replace(/^.*@/, ""));
  const port = hasPort ? "" : scheme.toLowerCase() === "https" ? ":443" : ":1080";
  return `${scheme}://${authority}${port}${rest}`;
}

/** The connection options of a command; `undefined` without any. */
export function connectionOf(state: ConnectionState): CurlConnection | undefined {
  const { proxy, proxyUser, noProxy, ca, insecure, unixSocket, pathAsIs, http2, decompress } =
    state;
  const { cert, key = cert, passphrase } = state;
  const connection: CurlConnection = {
    proxy: proxy && withUser(proxy, proxyUser),
    noProxy,
    ca,
    insecure,
    unixSocket,
    pathAsIs,
    decompress,
    http2,
    clientCertificate:
      cert === undefined || key === undefined ? undefined : { cert, key, passphrase },
  };
  return Object.values(connection).every((it) => it === undefined) ? undefined : connection;
}

function withUser(proxy: string, user: string | undefined): string {
  if (user === undefined) return proxy;
  const colon = user.includes(":") ? user.indexOf(":") : user.length;
  const pair = [user.slice(0, colon), user.slice(colon + 1)].map(encodeURIComponent).join(":");
  return proxy.replace("://", `://${pair}@`);
}

/** Parses the value of `-F`: `name=text`, `name=@file;type=…;filename=…`, `name=<file`. */
function parseField(value: string, word: Word, report: Report): CurlField | undefined {
  const equals = value.indexOf("=");
  if (equals === -1) {
    report(word.span, `"${value}" is not a form field`, "Write it as name=value or name=@file");
    return undefined;
  }
  const name = value.slice(0, equals);
  const sign = /^[@<]/.exec(value.slice(equals + 1))?.[0] ?? "";
  const from = equals + 1 + sign.length;
  const content = /"((?:[^"\\]|\\.)*)"|[^;]*/y;
  content.lastIndex = from;
  const found = content.exec(value);
  const text = found?.[1]?.replace(/\\(["\\])/g, "$1") ?? found?.[0] ?? "";
  const more = readParameters(value.slice(content.lastIndex));
  if (more === undefined) {
    const hint = "Use --form-string name=value for text with semicolons";
    report(word.span, `curl would send only part of the field "${name}"`, hint);
    return undefined;
  }
  // A name in quotes is that of one file.
  if (sign === "@" && found?.[1] === undefined && text.includes(",")) {
    const hint = "Write one -F for each file";
    report(word.span, `The field "${name}" names several files`, hint);
    return undefined;
  }
  // A file after `<` is sent as text without a file name.
  const fileName = more.filename ?? (sign === "@" ? nameOfFile(text) : undefined);
  if (sign !== "" && hasBytes(text)) refuseBytes(word, report);
  const type = more.type ?? typeOf(fileName, sign === "" ? "" : text);
  return {
    name,
    value: sign === "" ? { text } : { path: text },
    type,
    fileName,
  };
}

/** The type that curl gives a part without one, by its file name or the path of its file. */
function typeOf(fileName: string | undefined, path: string): string | undefined {
  const type = typeOfFile(fileName ?? "", true) ?? typeOfFile(path, true);
  if (fileName === undefined) return type === "text/plain" ? undefined : type;
  return type ?? (path === "" ? undefined : "application/octet-stream");
}

interface FieldParameters {
  type?: string;
  filename?: string;
}

function readParameters(text: string): FieldParameters | undefined {
  const parameters: FieldParameters = {};
  let rest = text;
  while (rest.trim() !== "") {
    const found = /^\s*;\s*(type|filename)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/.exec(rest);
    if (found === null) return undefined;
    const [whole, key, quoted, plain = ""] = found;
    parameters[key as keyof FieldParameters] = quoted?.replace(/\\(["\\])/g, "$1") ?? plain;
    rest = rest.slice(whole.length);
  }
  return parameters;
}
