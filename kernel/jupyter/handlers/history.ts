import type { Handler } from "../kernel.ts";

export const history: Handler = ({ request }, kernel) => ({
  status: "ok",
  history: kernel.history.select(request.content),
});
