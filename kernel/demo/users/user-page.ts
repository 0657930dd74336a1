import type { Context } from "hono";
import { readQuery } from "../http/mod.ts";
import type { User } from "./user.ts";

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
export function pageUsers(context: Context, all: readonly User[]): UserPage {
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
