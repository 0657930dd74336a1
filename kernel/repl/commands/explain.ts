import { CLIENT_MEMBERS } from "../../session/mod.ts";
import { listRows } from "./help-text.ts";
import type { Shell } from "./shell.ts";

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/**
 * Explains a name of TypeScript, a member of `client` or the path to a member: its type and documentation, and for
 * `client` itself its members.
 *
 * @returns `undefined` for an unknown name.
 */
export async function explain(
  name: string,
  { session, platform }: Pick<Shell, "session" | "platform">,
): Promise<string | undefined> {
  const inspect = (path: string): ReturnType<typeof session.inspect> =>
    session.inspect(path, path.length);
  if (!NAME.test(name)) return undefined;
  const isMember = Object.hasOwn(CLIENT_MEMBERS, name);
  const found = (await inspect(name)) ?? (isMember ? await inspect(`client.${name}`) : undefined);
  if (found === undefined) return undefined;
  const lines = [found.signature, found.documentation].filter((text) => text !== "");
  if (name !== "client") return lines.join("\n");
  const members = listRows(Object.entries(CLIENT_MEMBERS), platform.stdout.columns());
  return [...lines, "", ...members, "", "client.send? explains a member"].join("\n");
}
