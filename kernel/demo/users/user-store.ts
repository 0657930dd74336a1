import { Problem } from "../http/mod.ts";
import type { User, UserDetails } from "./user.ts";
import { SEED } from "./user-seed.ts";

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
