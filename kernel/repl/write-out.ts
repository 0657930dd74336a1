import type { CurlCommand } from "../../lib/curl/mod.ts";
import { type ConnectionDetails, type Exchange, readText } from "../../lib/mod.ts";
import type { Cell } from "../session/mod.ts";

/** The option `-w` of a curl command. */
export type WriteOut = Pick<CurlCommand, "output"> & {
  /** What is written after the answer; `@FILE` for the text of a file. */
  readonly format: string;
};

/** Whether a text may have the option: most have not, and are not read again. */
export const MAY_WRITE_OUT: RegExp = /\s(?:-\w*w|--write-out\b)/;

/** The option `-w` of a cell that is one curl command. */
export function writeOutOf(cell: Cell): WriteOut | undefined {
  if (cell.kind !== "request") return undefined;
  const { lines } = cell.parsed ?? readText(cell.text);
  const commands = lines.flatMap(({ command }) => (command === undefined ? [] : [command]));
  const [{ writeOut: format, output } = {}] = commands;
  return format === undefined || commands.length > 1 ? undefined : { format, output };
}

/** What `-w` writes. */
interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Fills the variables of a format of `curl -w`.
 *
 * @param exchange What was answered; without it, statuses, times and sizes are 0, as in curl.
 * @param request What was sent, if there is no answer.
 * @see https://curl.se/docs/manpage.html#-w
 * @example
 * ```ts ignore
 * writeOut("%{http_code}\\n", exchange); // { stdout: "200\n", stderr: "" }
 * ```
 */
export function writeOut(
  format: string,
  exchange: Exchange | undefined,
  request: Exchange["request"] | undefined = exchange?.request,
): Written {
  const written = { stdout: "", stderr: "" };
  let to: keyof Written = "stdout";
  for (const [piece, variable, header] of format.matchAll(PIECE)) {
    if (variable === "onerror") {
      // What follows is for a transfer that has failed.
      if (exchange !== undefined) break;
    } else if (variable === "stdout" || variable === "stderr") to = variable;
    else if (variable !== undefined) {
      const value = Object.hasOwn(VARIABLES, variable) ? VARIABLES[variable] : undefined;
      if (value === undefined)
        written.stderr += `curl: unknown --write-out variable: '${variable}'\n`;
      else written[to] += value(exchange, request);
    } else if (header !== undefined) written[to] += exchange?.headers.get(header) ?? "";
    else written[to] += ESCAPES[piece] ?? piece;
  }
  return written;
}

/** A variable, a header, an escape, or text. */
const PIECE = /%\{([^{}]*)\}|%header\{([^{}]*)\}|%%|\\[nrt]|[%\\]|[^%\\]+/g;

const ESCAPES: Readonly<Record<string, string>> = {
  "%%": "%",
  "\\n": "\n",
  "\\r": "\r",
  "\\t": "\t",
};

type Value = (exchange: Exchange | undefined, request?: Exchange["request"] | undefined) => string;

const seconds = (milliseconds = 0): string => (milliseconds / 1000).toFixed(6);

const code: Value = (it) => String(it?.status ?? 0).padStart(3, "0");
const urlOf: Value = (it, sent) => it?.url ?? sent?.url ?? "";
const numbered = (count: (it: Exchange) => number | undefined): Value => {
  return (it) => String((it && count(it)) ?? 0);
};
const timed = (time: (it: Exchange) => number): Value => {
  return (it) => (it === undefined ? seconds() : seconds(time(it)));
};
/** How long redirects took, before the last request was sent. */
const redirected = ({ redirects, timing, connection }: Exchange): number =>
  redirects.length === 0 ? 0 : timing.headers - (connection?.times.firstByte ?? timing.headers);
/** A step of the last connection, from the start of the first; 0 if it was not needed. */
const stepped = (step: keyof ConnectionDetails["times"]): Value =>
  timed((it) => {
    const time = it.connection?.times[step];
    return time === undefined ? 0 : time + redirected(it);
  });
const received = ({ saved, sizes }: Exchange): number =>
  saved?.bytes ?? sizes.response.encoded ?? sizes.response.body;
const addressOf = (it: Exchange | undefined): readonly [host: string, port: string] => {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(it?.connection?.address ?? "") ?? [];
  return [host, port];
};

const VARIABLES: Readonly<Record<string, Value>> = {
  content_type: (it) => it?.headers.get("content-type") ?? "",
  filename_effective: (it) => it?.saved?.path ?? "",
  header_json: (it) => headerJson(it),
  http_code: code,
  http_version: (it) => it?.connection?.httpVersion ?? "0",
  method: (_, sent) => sent?.method ?? "",
  num_connects: numbered(({ connection }) => (connection?.isReused === false ? 1 : 0)),
  num_headers: numbered(({ connection, headers }) => (connection?.headers ?? [...headers]).length),
  num_redirects: numbered(({ redirects }) => redirects.length),
  redirect_url: (it) => redirectOf(it),
  remote_ip: (it) => addressOf(it)[0],
  remote_port: (it) => addressOf(it)[1] || "0",
  response_code: code,
  // Known once there is a connection.
  scheme: (it) => urlOf(it).split(":", 1)[0]?.toUpperCase() ?? "",
  size_download: numbered(received),
  size_header: numbered(({ sizes }) => sizes.response.headers),
  size_request: numbered(({ sizes }) => sizes.request.headers),
  size_upload: numbered(({ sizes }) => sizes.request.body),
  speed_download: numbered((it) => speed(received(it), it)),
  speed_upload: numbered((it) => speed(it.sizes.request.body, it)),
  time_appconnect: stepped("tls"),
  time_connect: stepped("connect"),
  time_namelookup: stepped("dns"),
  time_pretransfer: (it) => stepped(it?.connection?.tls === undefined ? "connect" : "tls")(it),
  time_redirect: timed(redirected),
  time_starttransfer: stepped("firstByte"),
  time_total: timed(({ timing }) => timing.total),
  url: (_, sent) => sent?.writtenUrl ?? "",
  url_effective: urlOf,
};

function speed(bytes: number, { timing }: Exchange): number {
  return Math.round(bytes / (Math.max(timing.total, 1) / 1000));
}

/** Where a redirect leads that was not followed. */
function redirectOf(exchange: Exchange | undefined): string {
  const location = exchange?.headers.get("location");
  if (exchange === undefined || !location || !/^3/.test(String(exchange.status))) return "";
  return URL.canParse(location, exchange.url) ? new URL(location, exchange.url).href : location;
}

function headerJson(exchange: Exchange | undefined): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of exchange?.connection?.headers ?? exchange?.headers ?? []) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  const lines = Array.from(
    values,
    ([name, all]) => `${JSON.stringify(name)}:${JSON.stringify(all)}`,
  );
  return `{${lines.join(",\n")}\n}`;
}
