import type { Context } from "hono";
import { isJsonObject, type Route, readJson, readQuery, respond, respondJson } from "./http.ts";
import { parseUser } from "./user-rules.ts";
import type { User, UserStore } from "./users.ts";

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

/** A page of a list, and the headers that describe its position. */
interface UserPage {
  readonly users: readonly User[];
  readonly headers: Readonly<Record<string, string>>;
}

type SortKey = (user: User) => string | number | boolean;

const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  id: (user) => user.id,
  name: (user) => user.name,
  email: (user) => user.email,
  role: (user) => user.role,
  active: (user) => user.active,
  createdAt: (user) => user.createdAt,
  "address.city": (user) => user.address?.city ?? "",
};

const SORT_CHOICES = Object.keys(SORT_KEYS).flatMap((key) => [key, `-${key}`]);

/** Selects the page that the query asks for. Throws a 400 problem that names all invalid parameters. */
function pageUsers(context: Context, all: readonly User[]): UserPage {
  const query = readQuery(context);
  const limit = query.integer("limit", { fallback: 10, min: 1, max: 100 });
  const offset = query.integer("offset", { fallback: 0, min: 0, max: 1_000_000_000 });
  const sort = query.oneOf("sort", SORT_CHOICES);
  query.finish();
  const found = filterUsers(all, context.req.query("filter") ?? "");
  const users = sortUsers(found, sort ?? "id").slice(offset, offset + limit);
  const link = pageLinks(new URL(context.req.url), limit, offset, found.length);
  return { users, headers: { "X-Total-Count": String(found.length), Link: link } };
}

function filterUsers(users: readonly User[], filter: string): readonly User[] {
  const wanted = filter.toLowerCase();
  if (wanted === "") return users;
  return users.filter(({ name, email, role, address, tags }) =>
    [name, email, role, address?.city ?? "", ...tags].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
}

function sortUsers(users: readonly User[], sort: string): readonly User[] {
  const direction = sort.startsWith("-") ? -1 : 1;
  const key = SORT_KEYS[sort.replace(/^-/, "")] ?? ((user) => user.id);
  // By code units: the order of a locale differs between machines.
  return [...users].sort((one, other) => {
    const [left, right] = [key(one), key(other)];
    if (left === right) return one.id - other.id;
    return left < right ? -direction : direction;
  });
}

/** The `Link` header (RFC 8288). */
function pageLinks(url: URL, limit: number, offset: number, total: number): string {
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const links: readonly (readonly [rel: string, offset: number, shown: boolean])[] = [
    ["first", 0, true],
    ["prev", Math.min(Math.max(0, offset - limit), last), offset > 0],
    ["next", offset + limit, offset + limit < total],
    ["last", last, true],
  ];
  return links
    .filter(([, , shown]) => shown)
    .map(([rel, start]) => {
      const target = new URL(url);
      target.searchParams.set("limit", String(limit));
      target.searchParams.set("offset", String(start));
      return `<${target.href}>; rel="${rel}"`;
    })
    .join(", ");
}

/**
 * Applies a JSON merge patch (RFC 7396): members of objects are merged, `null` removes a
 * member, any other value replaces the old one.
 */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Assigning a member named `__proto__` would change the prototype.
  return Object.fromEntries(merged);
}
