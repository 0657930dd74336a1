import { createUsersApi } from "../../kernel/demo/api.ts";

/** What a table says of an answer; what it leaves out is not looked at. */
export interface Expected {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
}

type Api = ReturnType<typeof createUsersApi>;

/** Makes an API whose clock stands still. */
export function createApi(): Api {
  return createUsersApi({ now: () => new Date("2026-01-02T03:04:05.678Z") });
}

/** Sends `METHOD /path` with a value as JSON body, where one is given. */
export async function ask(
  api: Api,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const [method = "", path = ""] = line.split(" ");
  if (body === undefined) return await api.request(path, { method, headers });
  return await api.request(path, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
