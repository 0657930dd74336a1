import type { LoginPrompt } from "../../../lib/mod.ts";
import { openUrl } from "../../platform/mod.ts";

/** Prints how to log in to the output of the cell, and opens a browser if there is one. */
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
