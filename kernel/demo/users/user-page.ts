import type { Context } from "hono";
import { readQuery } from "../http/mod.ts";
import type { User } from "./user.ts";

/** A page of a list and the headers that tell its place in it. */
export interface UserPage {
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

/** Picks the page that the query asks for. Throws a 400 problem with all that is wrong with it. */
export function pageUsers(context: Context, all: readonly User[]): UserPage {
  const query = readQuery(context);
  const limit = query.wholeNumber("limit", { fallback: 10, least: 1, most: 100 });
  const offset = query.wholeNumber("offset", { fallback: 0, least: 0, most: 1_000_000_000 });
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
  // By code units, not by a locale: the order must be the same on every machine.
  return [...users].sort((one, other) => {
    const [left, right] = [key(one), key(other)];
    if (left === right) return one.id - other.id;
    return left < right ? -direction : direction;
  });
}

/** The `Link` header (RFC 8288): where the list begins, goes on and ends. */
function pageLinks(url: URL, limit: number, offset: number, total: number): string {
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const places: readonly (readonly [rel: string, offset: number, shown: boolean])[] = [
    ["first", 0, true],
    ["prev", Math.min(Math.max(0, offset - limit), last), offset > 0],
    ["next", offset + limit, offset + limit < total],
    ["last", last, true],
  ];
  return places
    .filter(([, , shown]) => shown)
    .map(([rel, start]) => {
      const target = new URL(url);
      target.searchParams.set("limit", String(limit));
      target.searchParams.set("offset", String(start));
      return `<${target.href}>; rel="${rel}"`;
    })
    .join(", ");
}
