import type { LoginPrompt } from "../../lib/mod.ts";
import { openUrl } from "../platform/mod.ts";

/** Says in the cell's output what a person has to do to log in, and opens a browser where there is one. */
export async function logIn(prompt: LoginPrompt): Promise<void> {
  if (prompt.kind === "browser") {
    console.log(`Log in with your browser: ${prompt.url}`);
    await openUrl(prompt.url);
    return;
  }
  const until = prompt.expiresAt.toLocaleTimeString();
  console.log(`Log in at ${prompt.url} with the code ${prompt.code} (until ${until})`);
  await openUrl(prompt.completeUrl ?? prompt.url);
}
