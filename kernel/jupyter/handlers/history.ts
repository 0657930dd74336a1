import type { Handler } from "../kernel/mod.ts";

export const history: Handler = async ({ request }, kernel) => {
  const former = await (await kernel.kept()).former();
  const found = kernel.history.select(request.content, former);
  if (found.length === 0) return { status: "ok", history: found };
  // Masked when it is asked for: a text may have become a secret after it was typed.
  const { secrets } = (await kernel.session()).client;
  // Loaded with the session; before that the library would hold up the first reply of all.
  const { maskValue } = await import("../../../lib/mod.ts");
  return { status: "ok", history: maskValue(found, secrets) };
};
