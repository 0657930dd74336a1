import type { Client, OAuth2Credentials } from "../../../../../lib/mod.ts";

/** Credentials with a client secret. */
type Confidential = OAuth2Credentials & { readonly clientSecret: string };

/** The client credentials of the provider's client `machine`. */
export const machine = (issuer: string): Confidential => ({
  type: "oauth2",
  grant: "client_credentials",
  issuer,
  clientId: "machine",
  clientSecret: "machine-secret-1",
  scope: "read",
});

/** The password grant of the provider's client `trusted`. */
export const trusted = (issuer: string): Confidential => ({
  type: "oauth2",
  grant: "password",
  issuer,
  clientId: "trusted",
  clientSecret: "trusted-secret-3",
  username: "ada",
  password: "pa ss&word",
  scope: "openid offline_access",
});

/** Follows the provider's login pages and submits their forms, as a person would in a browser. */
export async function logIn(browser: Client, url: string): Promise<string> {
  let page = await browser.send({ url }, { redirect: "manual" });
  for (let step = 0; step < 20; step++) {
    const location = page.headers.get("location");
    if (location !== null) {
      const next = new URL(location, page.url).href;
      page = await browser.send({ url: next }, { redirect: "manual" });
      if (!page.headers.has("location") && page.text.includes("restlab")) return page.text;
      continue;
    }
    const [form] = /<form[\s\S]*?<\/form>/.exec(page.text) ?? [];
    if (form === undefined) return page.text;
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
    const hidden = [...form.matchAll(/<input[^>]*>/g)].flatMap(([input]) => {
      const name = /name="([^"]+)"/.exec(input)?.[1];
      const value = /value="([^"]*)"/.exec(input)?.[1] ?? "";
      return name === undefined ? [] : [[name, value] as const];
    });
    const fields = new Map([...hidden, ["login", "ada"], ["password", "x"]] as const);
    const target = new URL(action.replaceAll("&amp;", "&"), page.url).href;
    page = await browser.send({ url: target, form: [...fields] }, { redirect: "manual" });
  }
  throw new Error("The login does not end");
}
