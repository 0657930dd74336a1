import type { ConnectionDetails, Exchange } from "../../../lib/mod.ts";
import type { Runtime } from "../../platform/mod.ts";

/** The request and the connection of an exchange, as lines of `-v`; secrets are not masked yet. */
export function connectionLines(exchange: Exchange, { title }: Runtime): readonly string[] {
  const { request, connection, redirects, url } = exchange;
  const { pathname, search } = new URL(url);
  const last = redirects.at(-1);
  const method = exchange.request.method;
  return [
    ...redirects.map((hop) => `* ${hop.method} ${hop.url}: ${hop.status}, to ${hop.location}`),
    ...(connection === undefined
      ? [
          `* The address, TLS and the times of the connection are not known: the fetch of ${title} does not expose them`,
        ]
      : describe(connection)),
    `> ${last === undefined ? method : `${method} (redirected)`} ${pathname}${search}${connection === undefined ? "" : " HTTP/1.1"}`,
    ...(connection?.sentHeaders ?? request.headers).map(([name, value]) => `> ${name}: ${value}`),
    ...(connection === undefined
      ? [`* Host, Accept, User-Agent and other headers that ${title} adds are not known`]
      : []),
    ...bodyLines(request),
    `< ${exchange.status} ${exchange.statusText}`.trimEnd(),
    ...[...exchange.headers].map(([name, value]) => `< ${name}: ${value}`),
    `* Total ${milliseconds(exchange.timing.total)}, headers after ${milliseconds(exchange.timing.headers)}`,
  ];
}

function describe({ address, isReused, tls, times }: ConnectionDetails): readonly string[] {
  const { dns, connect, tls: secured, firstByte } = times;
  const steps = [
    ["DNS", dns],
    ["connect", connect],
    ["TLS", secured],
    ["first byte", firstByte],
  ] as const;
  const known = steps.flatMap(([name, at]) =>
    at === undefined ? [] : [`${name} ${milliseconds(at)}`],
  );
  const { version, cipher, certificate } = tls ?? {};
  return [
    `* Connected to ${address}${isReused ? ", by the connection of an earlier request" : ""}`,
    ...(tls === undefined ? [] : [`* ${version}, ${cipher}`]),
    ...(certificate === undefined
      ? []
      : [
          `* Certificate of "${certificate.subject}" by "${certificate.issuer}", valid until ${certificate.validTo}`,
        ]),
    `* After ${known.join(", ")}`,
  ];
}

const MAX_BODY = 2_000;

function bodyLines({ body }: Exchange["request"]): readonly string[] {
  if (body === undefined || body.length === 0) return [];
  if (typeof body !== "string") return [">", `> ${body.length} bytes`];
  const shown = body.slice(0, MAX_BODY).split("\n");
  const rest = body.length - MAX_BODY;
  return [">", ...shown.map((line) => `> ${line}`), ...(rest > 0 ? [`> … ${rest} more`] : [])];
}

function milliseconds(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}
