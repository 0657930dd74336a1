import { Problem } from "./http.ts";

export type Role = "admin" | "editor" | "viewer";

/** A position in degrees. */
interface Geo {
  readonly lat: number;
  readonly lng: number;
}

interface Address {
  readonly city: string;
  readonly geo: Geo | null;
}

/** The members of a user that clients set. */
export interface UserDetails {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  readonly address: Address | null;
  readonly tags: readonly string[];
}

/** A user as stored and returned. */
export interface User extends UserDetails {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** The columns: name, mailbox, role, active, createdAt, city, latitude, longitude, tags. */
const TABLE = `
Ada Lovelace      | ada       | admin  | yes | 2024-01-02T03:04:05.678Z | London       | 51.5074 | -0.1278   | math engines
Alan Turing       | alan      | admin  | yes | 2024-01-09T08:30:00.000Z | Manchester   | 53.4808 | -2.2426   | math machines
Grace Hopper      | grace     | editor | yes | 2024-02-14T16:45:12.250Z | New York     | 40.7128 | -74.006   | compilers navy
Edsger Dijkstra   | edsger    | editor | no  | 2024-02-29T23:59:59.999Z | Rotterdam    | 51.9244 | 4.4777    | graphs
Barbara Liskov    | barbara   | admin  | yes | 2024-03-10T07:00:00.000Z | Los Angeles  | 34.0522 | -118.2437 | types abstraction
Donald Knuth      | donald    | viewer | yes | 2024-03-14T15:09:26.535Z | Milwaukee    | 43.0389 | -87.9065  | books typesetting
Katherine Johnson | katherine | viewer | yes | 2024-04-12T06:07:00.000Z | Hampton      | 37.0299 | -76.3452  | space math
Dennis Ritchie    | dennis    | editor | no  | 2024-05-01T00:00:00.000Z | Bronxville   | 40.9382 | -73.8321  | c unix
Margaret Hamilton | margaret  | admin  | yes | 2024-05-20T20:17:40.000Z | Paoli        | 38.5562 | -86.4683  | space software
Niklaus Wirth     | niklaus   | viewer | no  | 2024-06-06T12:00:00.500Z | Winterthur   | 47.4988 | 8.7237    | pascal
Frances Allen     | frances   | editor | yes | 2024-07-07T10:10:10.000Z | Peru         | 44.5784 | -73.5274  | compilers
José Valim        | jose      | viewer | yes | 2024-08-15T09:00:00.000Z | Kraków       | 50.0647 | 19.945    | elixir
Радія Перлман     | radia     | editor | yes | 2024-09-01T18:30:00.000Z | Portsmouth   | 36.8354 | -76.2983  | networks
松本行弘            | matz      | viewer | yes | 2024-10-10T01:02:03.004Z | 松江市          | 35.4681 | 133.0484  | ruby
Sophie Wilson     | sophie    | admin  | yes | 2024-11-23T11:22:33.444Z | Leeds        | 53.8008 | -1.5491   |
`;

/** The users of a new store, with ids from 1. */
const SEED: readonly User[] = TABLE.trim().split("\n").map(readRow);

function readRow(line: string, index: number): User {
  const columns = line.split("|").map((column) => column.trim());
  const [name = "", mailbox, role, active, createdAt = "", city = "", lat, lng, tags = ""] =
    columns;
  return {
    id: index + 1,
    name,
    email: `${mailbox}@example.com`,
    role: role as Role,
    active: active === "yes",
    createdAt,
    address: { city, geo: { lat: Number(lat), lng: Number(lng) } },
    tags: tags.split(" ").filter(Boolean),
  };
}

export interface UserStore {
  /** All users in the order of their ids. */
  list(): readonly User[];
  /** Throws a 404 problem where no user has the id. */
  get(id: string): User;
  /** Throws a 409 problem where another user has the email, as `replace` does. */
  add(details: UserDetails): User;
  replace(user: User, details: UserDetails): User;
  remove(user: User): void;
}

export function createUserStore(now: () => Date): UserStore {
  const users = new Map(SEED.map((user) => [user.id, user]));
  let lastId = SEED.length;

  function refuseTakenEmail(email: string, owner?: User): void {
    const wanted = email.toLowerCase();
    for (const user of users.values()) {
      if (user.email.toLowerCase() !== wanted || user.id === owner?.id) continue;
      throw new Problem(409, `The email "${email}" is taken: user ${user.id} has it`, {
        errors: [{ pointer: "#/email", detail: "is taken" }],
      });
    }
  }

  function save(id: number, createdAt: string, details: UserDetails): User {
    const { name, email, role, active, address, tags } = details;
    const user: User = { id, name, email, role, active, createdAt, address, tags };
    users.set(id, user);
    return user;
  }

  return {
    list: () => [...users.values()],
    get(id) {
      const user = /^[1-9]\d{0,14}$/.test(id) ? users.get(Number(id)) : undefined;
      if (!user) throw new Problem(404, `User "${id}" does not exist`);
      return user;
    },
    add(details) {
      refuseTakenEmail(details.email);
      lastId += 1;
      return save(lastId, now().toISOString(), details);
    },
    replace(user, details) {
      refuseTakenEmail(details.email, user);
      return save(user.id, user.createdAt, details);
    },
    remove(user) {
      users.delete(user.id);
    },
  };
}
