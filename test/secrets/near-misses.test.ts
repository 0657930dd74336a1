import { expect, test } from "vitest";
import { renderBundle } from "../../lib/display/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { sampleExchange } from "../display/sample.ts";

/** Bodies and headers that speak of secrets and contain none. */
const NEAR: readonly (readonly [body: string, headers?: Readonly<Record<string, string>>])[] = [
  ['{"headers":["Cookie","Accept","User-Agent"]}'],
  ['{"list":["Authorization","Basic auth is nice"]}'],
  ['{"kinds":["token","alpha","beta"]}'],
  ['{"pairs":[["Cookie","choc"],["Accept","json"]]}'],
  ['{"text":"Cookie: none"}'],
  ['{"title":"Password reset","topics":["password","reset"]}'],
  ['{"token_type":"Bearer","expires_in":3600}'],
  ['{"usage":{"prompt_tokens":12,"max_tokens":4096,"total_tokens":40}}'],
  ['{"tokenizer":"cl100k","cookies_enabled":true,"secretary":"Ada"}'],
  ["{}", { Vary: "Cookie, Authorization", "Access-Control-Allow-Headers": "Authorization, X-Key" }],
  ["{}", { "WWW-Authenticate": 'Bearer realm="users", error="invalid_token"' }],
  ["{}", { "WWW-Authenticate": "Basic realm=users" }],
];

test.each(NEAR.map(([body, more = {}]) => ({ body, more })))(
  "nothing is masked in $body $more",
  ({ body, more }) => {
    const store = createSecretStore();
    const headers = new Headers({ "content-type": "application/json", ...more });
    store.learn({ kind: "headers", headers }, "server");
    store.learn({ kind: "body", text: body, mediaType: "application/json" }, "server");
    const exchange = sampleExchange(body, "application/json", { headers, secrets: [store] });
    for (const form of Object.values(renderBundle(exchange))) {
      expect(String(form)).not.toContain("•••");
    }
  },
);
