/**
 * The users of the embedded API: a store, rules for what a user may be, pages, merge patches.
 */

export { userRoutes } from "./user-routes.ts";
export { createUserStore } from "./user-store.ts";
