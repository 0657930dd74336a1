import { Hono } from "hono";
import { etag } from "hono/etag";
import { mountRoutes, Problem, type Route } from "./http/mod.ts";
import {
  createDigestRoutes,
  createTokenRoutes,
  descriptionRoutes,
  echoRoutes,
  listingRoutes,
  redirectRoutes,
  secureRoutes,
  slowRoutes,
  socketRoutes,
  statusRoutes,
  streamRoutes,
} from "./routes/mod.ts";
import { sampleRoutes } from "./samples/mod.ts";
import { createUserStore, userRoutes } from "./users/mod.ts";

/** How a users API is made. */
export interface UsersApiOptions {
  /** The clock that `createdAt` is taken from, and by which tokens end. */
  readonly now?: () => Date;
}

/**
 * Makes a users API with users of its own: a hono app, whose `fetch` answers a `Request`.
 *
 * @param options What may be replaced, for example the clock.
 * @returns The app; it listens nowhere and keeps nothing but its users, tokens and nonces.
 */
export function createUsersApi(options: UsersApiOptions = {}): Hono {
  const { now = () => new Date() } = options;
  const routes: readonly Route[] = [
    ...userRoutes(createUserStore(now)),
    ...secureRoutes,
    ...createDigestRoutes(),
    ...createTokenRoutes(now),
    ...statusRoutes,
    ...redirectRoutes,
    ...slowRoutes,
    ...streamRoutes,
    ...socketRoutes,
    ...echoRoutes,
    ...listingRoutes,
    ...sampleRoutes,
  ];
  const app = new Hono();
  app.use("/users/*", etag());
  mountRoutes(app, [...descriptionRoutes(routes), ...routes]);
  app.notFound(({ req }) =>
    new Problem(404, `Path "${req.path}" does not exist: GET / lists what there is`).toResponse(),
  );
  app.onError((error) =>
    (error instanceof Problem
      ? error
      : new Problem(500, `The demo failed: ${error.message}`)
    ).toResponse(),
  );
  return app;
}
