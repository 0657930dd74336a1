import { isJsonObject, Problem } from "../http/mod.ts";
import { type Check, list, object, orNull, satisfies } from "./shape.ts";
import type { Role, User, UserDetails } from "./user.ts";

const ROLES: readonly Role[] = ["admin", "editor", "viewer"];
const MAX_FAULTS = 50;

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
  throw new Problem(422, "The user is not valid", { errors: faults.slice(0, MAX_FAULTS) });
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
