import { isJsonObject, Problem } from "./http.ts";
import type { Role, User, UserDetails } from "./users.ts";

const ROLES: readonly Role[] = ["admin", "editor", "viewer"];

const text = (maxLength: number): Check =>
  satisfies(
    (value) => typeof value === "string" && value.trim() !== "" && value.length <= maxLength,
    `has to be a text of 1 to ${maxLength} characters`,
  );

const degrees = (max: number): Check =>
  satisfies(
    (value) => typeof value === "number" && Math.abs(value) <= max,
    `has to be a number from -${max} to ${max}`,
  );

const email: Check = satisfies(
  (value) => typeof value === "string" && value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value),
  "has to be an email address",
);

const geo: Check = object({ lat: degrees(90), lng: degrees(180) });

const user: Check = object(
  {
    name: text(100),
    email,
    role: satisfies(
      (value) => ROLES.some((role) => role === value),
      `has to be one of ${ROLES.join(", ")}`,
    ),
    active: satisfies((value) => typeof value === "boolean", "has to be true or false"),
    address: orNull(object({ city: text(100), geo: orNull(geo) }, ["geo"])),
    tags: list(text(40), 20),
  },
  ["role", "active", "address", "tags"],
);

/** Members that only the server sets. */
const READ_ONLY = ["id", "createdAt"] as const;

/**
 * Parses a user from a request body. Read-only members may be in it unchanged, so that an answer can be
 * edited and sent back. Throws a 422 problem that names all faults.
 */
export function parseUser(input: unknown, current?: User): UserDetails {
  const members = new Map(isJsonObject(input) ? Object.entries(input) : []);
  const changed = READ_ONLY.filter(
    (key) => members.has(key) && members.get(key) !== current?.[key],
  );
  for (const key of READ_ONLY) members.delete(key);
  const rest = isJsonObject(input) ? Object.fromEntries(members) : input;
  const faults = [
    ...changed.map((key) => ({ pointer: `#/${key}`, detail: "is set by the server" })),
    ...user(rest, "#"),
  ];
  if (faults.length === 0) return withDefaults(rest as ValidUser);
  throw new Problem(422, "The user is not valid", { errors: faults });
}

/** A value that passes the check `user`. */
type ValidUser = Pick<UserDetails, "name" | "email"> & Partial<UserDetails>;

function withDefaults({ name, email, role, active, address, tags }: ValidUser): UserDetails {
  return {
    name,
    email,
    role: role ?? "viewer",
    active: active ?? true,
    address: address ? { city: address.city, geo: address.geo ?? null } : null,
    tags: tags ?? [],
  };
}

/** One fault of a value, at a JSON pointer in fragment form (RFC 6901). */
interface ShapeFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Returns the faults of the value at a pointer. */
type Check = (value: unknown, pointer: string) => readonly ShapeFault[];

/** An object with these members; those in `optional` may be missing. */
function object(members: Readonly<Record<string, Check>>, optional: readonly string[] = []): Check {
  return (value, pointer) => {
    if (!isJsonObject(value)) return [{ pointer, detail: "has to be an object" }];
    const given = new Map<string, unknown>(Object.entries(value));
    const unknown = [...given.keys()]
      .filter((key) => !Object.hasOwn(members, key))
      .map((key) => ({
        pointer: at(pointer, key),
        detail: `is not known: the members are ${Object.keys(members).join(", ")}`,
      }));
    const known = Object.entries(members).flatMap(([key, check]) => {
      if (given.has(key)) return check(given.get(key), at(pointer, key));
      return optional.includes(key) ? [] : [{ pointer: at(pointer, key), detail: "is missing" }];
    });
    return [...known, ...unknown];
  };
}

/** A list of at most `max` elements. */
function list(element: Check, max: number): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return [{ pointer, detail: "has to be an array" }];
    if (value.length > max) return [{ pointer, detail: `has to have at most ${max} elements` }];
    return value.flatMap((item, index) => element(item, at(pointer, String(index))));
  };
}

/** `null`, or a value that passes another check. */
function orNull(check: Check): Check {
  return (value, pointer) => (value === null ? [] : check(value, pointer));
}

/** A value that passes a test; `detail` completes a sentence that begins with the member's name. */
function satisfies(test: (value: unknown) => boolean, detail: string): Check {
  return (value, pointer) => (test(value) ? [] : [{ pointer, detail }]);
}

function at(pointer: string, key: string): string {
  // encodeURIComponent throws at a lone surrogate.
  const token = key.toWellFormed().replace(/~/g, "~0").replace(/\//g, "~1");
  return `${pointer}/${encodeURIComponent(token)}`;
}
