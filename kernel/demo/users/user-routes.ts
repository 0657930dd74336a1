import type { Context } from "hono";
import { type Route, readJson, respond, respondJson } from "../http/mod.ts";
import { mergePatch } from "./merge-patch.ts";
import type { User } from "./user.ts";
import { pageUsers } from "./user-page.ts";
import { parseUser } from "./user-rules.ts";
import type { UserStore } from "./user-store.ts";

const JSON_TYPES = ["application/json"];
const PATCH_TYPES = ["application/merge-patch+json", "application/json"];

export function userRoutes(store: UserStore): readonly Route[] {
  const userAt = ({ req }: Context): User => store.get(req.param("id") ?? "");
  return [
    {
      method: "GET",
      path: "/users",
      summary:
        "Lists users; limit (1 to 100), offset, filter and sort (a property, - to reverse it)",
      example: "/users?limit=2&offset=0&filter=a&sort=-name",
      handle(context) {
        const { users, headers } = pageUsers(context, store.list());
        return respondJson(200, users, headers);
      },
    },
    {
      method: "POST",
      path: "/users",
      summary: "Creates a user from name and email, and from role, active, address, tags if given",
      async handle(context) {
        const user = store.add(parseUser(await readJson(context, JSON_TYPES)));
        return respondJson(201, user, { Location: `/users/${user.id}` });
      },
    },
    {
      method: "GET",
      path: "/users/:id",
      summary: "Shows a user; If-None-Match with its ETag gives 304",
      example: "/users/1",
      handle: (context) => respondJson(200, userAt(context)),
    },
    {
      method: "PUT",
      path: "/users/:id",
      summary: "Replaces a user",
      async handle(context) {
        const user = userAt(context);
        const details = parseUser(await readJson(context, JSON_TYPES), user);
        return respondJson(200, store.replace(user, details));
      },
    },
    {
      method: "PATCH",
      path: "/users/:id",
      summary: "Changes a user by a merge patch (RFC 7396): null removes a member",
      acceptPatch: PATCH_TYPES.join(", "),
      async handle(context) {
        userAt(context);
        const patch = await readJson(context, PATCH_TYPES);
        // Another request may have changed the user while the body arrived.
        const user = userAt(context);
        return respondJson(200, store.replace(user, parseUser(mergePatch(user, patch), user)));
      },
    },
    {
      method: "DELETE",
      path: "/users/:id",
      summary: "Deletes a user",
      handle(context) {
        store.remove(userAt(context));
        return respond(204, {});
      },
    },
  ];
}
