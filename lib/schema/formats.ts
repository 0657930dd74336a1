import { compareNumbers, isJsonNumber, isWholeNumber } from "../interpolation/mod.ts";

const YEAR_MONTH_DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const DURATION =
  /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const LABEL = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?";
const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`, "i");
const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const MAILBOX = /^(?:".*"|(?!\.)(?:(?!\.\.|\.$)[^\s@"(),:;<>[\\\]])+)$/;
/** RFC 3986, as far as it says which characters there are. */
const URI_REFERENCE = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i;

const pattern =
  (expression: RegExp) =>
  (text: string): boolean =>
    expression.test(text);

/** The formats of texts that are checked, as JSON Schema names them. Others check nothing. */
const TEXT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) =>
    isDate(text.slice(0, 10)) && /^t$/i.test(text[10] ?? "") && isTime(text.slice(11)),
  date: isDate,
  time: isTime,
  duration: pattern(DURATION),
  email: isEmail,
  hostname: pattern(HOSTNAME),
  ipv4: pattern(IPV4),
  ipv6: (text) => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`),
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && URI_REFERENCE.test(text),
  "uri-reference": pattern(URI_REFERENCE),
  uuid: pattern(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i),
  "json-pointer": pattern(/^(?:\/(?:[^~/]|~[01])*)*$/),
  regex: isRegularExpression,
};

/** The integers that OpenAPI has formats of; https://spec.openapis.org/registry/format/. */
const BITS: Readonly<Record<string, bigint>> = { int32: 31n, int64: 63n };

/** Whether a value has a format; of an unknown format, and of a value that it is not for, it is true. */
export function hasFormat(format: string, value: unknown): boolean {
  if (typeof value === "string") {
    return !Object.hasOwn(TEXT_FORMATS, format) || TEXT_FORMATS[format]?.(value) === true;
  }
  if (!isJsonNumber(value) || !Object.hasOwn(BITS, format)) return true;
  const end = 2n ** (BITS[format] ?? 0n);
  return isWholeNumber(value) && compareNumbers(value, -end) >= 0 && compareNumbers(value, end) < 0;
}

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = YEAR_MONTH_DAY.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

function isTime(text: string): boolean {
  return TIME.test(text);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [mailbox, host] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  const isHost = HOSTNAME.test(host) || /^\[(?:IPv6:)?[\da-f.:]+\]$/i.test(host);
  return mailbox.length <= 64 && MAILBOX.test(mailbox) && isHost;
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
}
