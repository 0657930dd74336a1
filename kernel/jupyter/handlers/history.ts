import { maskDeep } from "../../../lib/mod.ts";
import type { Handler } from "../kernel.ts";

export const history: Handler = async ({ request }, kernel) => {
  const found = kernel.history.select(request.content);
  if (found.length === 0) return { status: "ok", history: found };
  // Masked when it is asked for: a text may have become a secret after it was typed.
  const { secrets } = (await kernel.session()).client;
  return { status: "ok", history: maskDeep(found, secrets) };
};
