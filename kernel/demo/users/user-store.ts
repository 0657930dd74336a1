import { Problem } from "../http/mod.ts";
import type { User, UserDetails } from "./user.ts";
import { SEED } from "./user-seed.ts";

/** The users of one instance. */
export interface UserStore {
  /** All of them, by id. */
  list(): readonly User[];
  /** Throws a 404 problem where there is none. */
  get(id: string): User;
  /** Throws a 409 problem where the email is taken, as `replace` does. */
  add(details: UserDetails): User;
  replace(user: User, details: UserDetails): User;
  remove(user: User): void;
}

/** Makes a store that holds the seeded users. */
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

  function keep(id: number, createdAt: string, details: UserDetails): User {
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
      return keep(lastId, now().toISOString(), details);
    },
    replace(user, details) {
      refuseTakenEmail(details.email, user);
      return keep(user.id, user.createdAt, details);
    },
    remove(user) {
      users.delete(user.id);
    },
  };
}
