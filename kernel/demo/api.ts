import { Hono } from "hono";
import { etag } from "hono/etag";
import { createDigestRoutes, createTokenRoutes, secureRoutes } from "./auth-routes.ts";
import { echoRoutes, socketRoutes } from "./echo-routes.ts";
import { mountRoutes, Problem, type Route } from "./http.ts";
import { descriptionRoutes, sampleRoutes } from "./sample-routes.ts";
import { redirectRoutes, slowRoutes, statusRoutes } from "./status-routes.ts";
import { listingRoutes, streamRoutes } from "./stream-routes.ts";
import { userRoutes } from "./user-routes.ts";
import { createUserStore } from "./users.ts";

export interface UsersApiOptions {
  /** The clock for `createdAt` and the expiry of tokens. */
  readonly now?: () => Date;
}

/**
 * Creates a users API as a hono app, whose `fetch` answers a `Request`. Each app has users, tokens and
 * nonces of its own, in memory.
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
    new Problem(404, `Path "${req.path}" does not exist: GET / lists the routes`).toResponse(),
  );
  app.onError((error) =>
    (error instanceof Problem
      ? error
      : new Problem(500, `The demo failed: ${error.message}`)
    ).toResponse(),
  );
  return app;
}
