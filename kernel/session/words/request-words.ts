/** Methods and their meanings (RFC 9110, RFC 5789). */
export const METHODS: Readonly<Record<string, string>> = {
  GET: "reads a resource",
  POST: "sends data to a resource, often to create another",
  PUT: "replaces a resource, or creates it under this URL",
  PATCH: "changes a part of a resource",
  DELETE: "removes a resource",
  HEAD: "reads the headers that GET would give",
  OPTIONS: "asks which methods a resource allows",
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
  $timestamp: "seconds since 1970; {{$timestamp -1 d}} is yesterday",
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
