import { Ajv } from "ajv";
import ajvFormats from "ajv-formats";

const text = { type: "string" };
const count = { type: "integer", minimum: -1 };
const time = { type: "number", minimum: -1 };
const date = { type: "string", format: "date-time" };
const flag = { type: "boolean" };

/** An object with these members, and others only if they begin with `_` (HAR 1.2, "Custom fields"). */
function members(required: object, optional: object = {}): object {
  return {
    type: "object",
    required: Object.keys(required),
    properties: { ...required, ...optional, comment: text },
    patternProperties: { "^_": {} },
    additionalProperties: false,
  };
}

const list = (items: object): object => ({ type: "array", items });
const pair = members({ name: text, value: text });
const cookie = members(
  { name: text, value: text },
  { path: text, domain: text, expires: date, httpOnly: flag, secure: flag, sameSite: text },
);
const software = members({ name: text, version: text });

const request = members(
  {
    method: text,
    url: text,
    httpVersion: text,
    cookies: list(cookie),
    headers: list(pair),
    queryString: list(pair),
    headersSize: count,
    bodySize: count,
  },
  { postData: members({ mimeType: text }, { text, params: list(pair) }) },
);

const response = members({
  status: { type: "integer" },
  statusText: text,
  httpVersion: text,
  cookies: list(cookie),
  headers: list(pair),
  content: members({ size: count, mimeType: text }, { text, encoding: text, compression: count }),
  redirectURL: text,
  headersSize: count,
  bodySize: count,
});

const entry = members(
  {
    startedDateTime: date,
    time: { type: "number", minimum: 0 },
    request,
    response,
    cache: { type: "object" },
    timings: members(
      { send: time, wait: time, receive: time },
      { blocked: time, dns: time, connect: time, ssl: time },
    ),
  },
  { pageref: text, serverIPAddress: text, connection: text },
);

/** HAR 1.2, by https://w3c.github.io/web-performance/specs/HAR/Overview.html */
const HAR = members({
  log: members(
    { version: { const: "1.2" }, creator: software, entries: list(entry) },
    { browser: software, pages: list({ type: "object" }) },
  ),
});

const ajv = new Ajv({ allErrors: true });
ajvFormats.default(ajv);
const isHar = ajv.compile(HAR);

/** What a document violates of HAR 1.2; nothing if it is valid. */
export function harFaults(document: unknown): readonly string[] {
  isHar(document);
  return (isHar.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
