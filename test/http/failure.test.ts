import { expect, test } from "vitest";
import { explainFailure } from "../../lib/http/failure.ts";

test.each([
  ["timeout", "connection closed before message completed", "closed"],
  ["handshake", "connection closed before message completed", "closed"],
  ["x", "operation timed out", "timed out"],
])("the path /%s is no clue beside Deno's %j", (path, detail, what) => {
  const message = `error sending request from 127.0.0.1:1 for http://h/${path} (127.0.0.1:2): client error (SendRequest): ${detail}`;
  expect(explainFailure(new TypeError(message)).what).toContain(what);
});

/** What a server says of the client's certificate, as Node, Deno and Bun put it. */
test.each([
  ["TLSV1_ALERT_UNKNOWN_CA", "(unknown ca)"],
  ["alert unknown ca:s3.c:1601:SSL alert number 48", "(unknown ca)"],
  ["received fatal alert: UnknownCA", "(unknown ca)"],
  ["tlsv13 alert certificate required", "requires a client certificate"],
  ["received fatal alert: CertificateRequired", "requires a client certificate"],
  ["sslv3 alert bad certificate", "refused the client certificate"],
  ["received fatal alert: BadCertificate", "refused the client certificate"],
  ["sslv3 alert certificate expired", "refused the client certificate"],
  ["received fatal alert: CertificateExpired", "refused the client certificate"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN", "refused the client certificate"],
])("the alert %j is of the client's certificate", (alert, what) => {
  expect(explainFailure(new Error(alert)).what).toContain(what);
});
