/** Annotations of a request, `# @name login`, with what they do; those that take a value end with a blank. */
export const ANNOTATIONS: Readonly<Record<string, string>> = {
  "name ": "names the request: {{name.response.body.id}} refers to its answer",
  "ref ": "first sends the request of that name, unless it has an answer",
  "forceRef ": "first sends the request of that name",
  "prompt ": "asks for a variable before the request is sent",
  "secret ": "asks for a variable and hides the answer",
  "note ": "asks for a confirmation before the request is sent",
  "loop ": "sends the request for each item of a list, or several times",
  "tag ": "a tag that restlab test selects requests by",
  "import ": "makes the requests of another file available",
  disabled: "does not send the request",
  "no-redirect": "follows no redirects",
  "max-redirects ": "the maximum number of redirects",
  "timeout ": "the time limit, for example 5 s",
  "charset ": "the charset of the response, whatever its Content-Type says",
  "retry ": "how often it is sent again; 10 every 2s: until its assertions hold",
  "connection ": "the connection of that name",
  "proxy ": "the proxy",
  "no-proxy": "uses no proxy",
  "no-cookie-jar": "sends and keeps no cookies",
  "cookie-file": "sends the cookies of a file, as curl -b does",
  "cookie-jar": "saves the cookies to a file, as curl -c does",
  "no-reject-unauthorized": "accepts any certificate",
  "cross-origin-body": "sends the body to other origins as well",
  "verify ": "what restlab verify compares: shape, exact, status or off",
  "ignore ": "a JSONPath that restlab verify does not compare",
  "compress ": "compresses the body, for example with gzip",
};

/** What assertions are about, `?? status == 200`. */
export const ASSERTION_FIELDS: Readonly<Record<string, string>> = {
  "status ": "the status code: ?? status == 200",
  "header ": "a header: ?? header content-type contains json",
  "body ": "the body, or a value in it: ?? body items[0].id == 1",
  "duration ": "milliseconds: ?? duration < 500",
  "count ": "how many values: ?? count $.items[*] > 2",
  "jsonpath ": "values of the body: ?? jsonpath $.items[*].id exists",
  "js ": "JavaScript: ?? js response.parsedBody.id > 0",
};

/** The members of the client, the most used first, with what they are for. */
export const CLIENT_MEMBERS: Readonly<Record<string, string>> = {
  send: "sends a request text, or a request as data; returns its exchange",
  last: "the latest exchange: status, headers, json, text, timing",
  setVar: "sets a variable for placeholders",
  getVar: "returns a copy of a variable",
  vars: "all variables, with those of the environment and of TypeScript cells",
  history: "the latest exchanges, oldest first",
  responses: "the latest exchange of each named request",
  render: "renders a request text without sending it",
  sendAll: "sends all requests of a text; returns their exchanges",
  all: "sends many requests, several at a time",
  paginate: "follows the pages of an answer",
  stream: "reads events, lines or items as they arrive",
  download: "writes an answer to a file",
  record: "records requests and answers in a HAR file",
  websocket: "opens a WebSocket",
  table: "displays a value as a table",
  show: "displays one part of an exchange",
  useEnv: "uses an environment of http-client.env.json and its like",
  environment: "the environment in use",
  hasVar: "whether there is a variable",
  deleteVar: "removes a variable that was set",
  origin: "where the value of a name comes from",
  save: "writes the variables that were set to a file, without secrets",
  load: "reads variables from such a file",
  extend: "returns the same client with other defaults",
  reveal: "displays a value with its secrets",
  check: "returns the faults of a request text without sending it",
  evaluateAssertions: "evaluates lines such as ?? status == 404 against the latest exchange",
  renderAll: "renders all requests of a text",
  cookies: "the cookies that answers have set",
  secrets: "the known secrets, which no display shows",
  pending: "the requests in flight",
  abort: "aborts all requests in flight",
  clearVars: "removes all variables that were set",
  clearHistory: "removes all exchanges",
  clearTokens: "removes the tokens of OAuth 2",
  fetchVar: "the value of a variable, once the secrets that it names are there",
  forgetSecrets: "forgets the secrets that variables name by references",
  namedSecrets: "the variables that name secrets by references",
  needs: "the values that a request text asks for",
  define: "registers the named requests of a text",
  prepare: "loads what rendering and checking need",
  version: "the version of restlab",
  toString: "a summary in one line",
};

/** Lines that a cell begins with, and what they do; those that take a value end with a blank. */
export const MAGICS: Readonly<Record<string, string>> = {
  "%demo": "starts the embedded users API and sets {{base}} to its URL",
  "%env ": "uses an environment of http-client.env.json and its like",
  "%import ": "writes documents for those of OpenAPI, Postman, HAR, curl and others",
  "%strict ": "on: a type error fails the cell; off: it is a warning",
  "%%http": "the cell is a request, whatever its first line is",
  "%%ts": "the cell is TypeScript, whatever its first line is",
};

/** The values of `%strict`, and what they do. */
export const STRICT_VALUES: Readonly<Record<string, string>> = {
  on: "a type error fails the cell",
  off: "a type error is a warning",
};

/** Methods and their meanings (RFC 9110, RFC 5789, draft-ietf-httpbis-safe-method-w-body). */
export const METHODS: Readonly<Record<string, string>> = {
  GET: "reads a resource",
  POST: "sends data to a resource, often to create another",
  PUT: "replaces a resource, or creates it under this URL",
  PATCH: "changes a part of a resource",
  DELETE: "removes a resource",
  HEAD: "reads the headers that GET would give",
  OPTIONS: "asks which methods a resource allows",
  QUERY: "reads what matches a query in the body",
};

const MEDIA_TYPES = ["application/json", "text/plain", "application/xml", "text/html", "*/*"];

/** Headers with their meanings and common values. */
export const HEADERS: Readonly<
  Record<string, { readonly about: string; readonly values: readonly string[] }>
> = {
  Accept: { about: "media types accepted in the answer", values: MEDIA_TYPES },
  "Accept-Language": { about: "preferred languages", values: ["en", "de", "fr"] },
  Authorization: { about: "credentials of the sender", values: ["Bearer ", "Basic "] },
  "Cache-Control": {
    about: "directives for caches",
    values: ["no-cache", "no-store", "max-age=0"],
  },
  "Content-Type": {
    about: "the media type of the body",
    values: [
      "application/json",
      "application/x-www-form-urlencoded",
      "application/merge-patch+json",
      "application/xml",
      "text/plain; charset=utf-8",
    ],
  },
  Cookie: { about: "cookies of the server", values: [] },
  "Idempotency-Key": { about: "distinguishes a repeated request from a new one", values: [] },
  "If-Match": { about: "only if the resource has this tag", values: ["*"] },
  "If-Modified-Since": { about: "only if it was changed since", values: [] },
  "If-None-Match": { about: "only if the resource has another tag", values: ["*"] },
  Origin: { about: "where the request comes from", values: [] },
  Prefer: {
    about: "how the server may answer",
    values: ["return=minimal", "return=representation"],
  },
  Range: { about: "a part of the resource", values: ["bytes=0-99"] },
  Referer: { about: "the page that linked here", values: [] },
  "User-Agent": { about: "the program that sends the request", values: [] },
  "X-API-Key": { about: "a key of the caller", values: [] },
  "X-Request-ID": { about: "identifies the request in logs", values: [] },
};

/** Generated values and their meanings. */
export const GENERATED: Readonly<Record<string, string>> = {
  $uuid: "a random UUID",
  $guid: "a random UUID",
  $uuidv7: "a UUID of version 7, which begins with the time",
  $timestamp: "seconds since 1970; {{$timestamp -1 d}} is yesterday",
  $timestampMs: "milliseconds since 1970, with an offset likewise",
  $isoTimestamp: "the time in UTC as ISO 8601",
  $date: "the local date, as 2024-01-31; {{$date 1 d}} is tomorrow",
  $datetime: "the time in UTC: {{$datetime iso8601}}, rfc1123, or a pattern in quotes",
  $localDatetime: "the local time, in the same ways as $datetime",
  $randomInt: "a random whole number: {{$randomInt 1 7}} is from 1 to 6",
  $random: "random values by kind: {{$random.alphabetic(8)}}",
  $faker: "realistic data: {{$faker.person.firstName}}; Postman's {{$randomFirstName}} likewise",
  $env: "a variable of the process, after a dot",
  $processEnv: "a variable of the process: {{$processEnv HOME}}",
  $dotenv: "a variable of the file .env: {{$dotenv KEY}}",
  $shared: "a variable that all environments share: {{$shared name}}",
};
