import type { Handler } from "../kernel/mod.ts";

export const history: Handler = async ({ request }, kernel) => {
  const former = await (await kernel.kept()).former();
  const found = kernel.history.select(request.content, former);
  if (found.length === 0) return { status: "ok", history: found };
  // Masked on request: a text may have become a secret after it was typed.
  const { secrets } = (await kernel.session()).client;
  // Loaded with the session: a static import would delay the first reply of the kernel.
  const { maskValue } = await import("../../../lib/mod.ts");
  return { status: "ok", history: maskValue(found, secrets) };
};
