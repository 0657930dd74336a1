import { textOf } from "../fields.ts";
import type { Handler } from "../kernel.ts";

export const isComplete: Handler = async ({ request }, kernel) => {
  const session = await kernel.session();
  return await session.isComplete(textOf(request.content, "code"));
};
