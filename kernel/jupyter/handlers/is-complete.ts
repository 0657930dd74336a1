import type { Handler } from "../kernel/mod.ts";
import { textOf } from "../messages/mod.ts";

export const isComplete: Handler = async ({ request }, kernel) => {
  const session = await kernel.session();
  return await session.isComplete(textOf(request.content, "code"));
};
