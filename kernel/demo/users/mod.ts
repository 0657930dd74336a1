/**
 * The users of the embedded API: their store, validation, pages and merge patches.
 *
 * @module
 */

export { userRoutes } from "./user-routes.ts";
export { createUserStore } from "./user-store.ts";
