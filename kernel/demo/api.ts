import { Hono } from "hono";
import { etag } from "hono/etag";
import { createDigestRoutes, createTokenRoutes, secureRoutes } from "./auth-routes.ts";
import { echoRoutes } from "./echo-routes.ts";
import { Problem, type Route, respond, respondJson } from "./http.ts";
import { sampleRoutes } from "./sample-routes.ts";
import { statusRoutes } from "./status-routes.ts";
import { streamRoutes } from "./stream-routes.ts";
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
export function createUsersApi({ now = () => new Date() }: UsersApiOptions = {}): Hono {
  const routes: readonly Route[] = [
    ...userRoutes(createUserStore(now)),
    ...secureRoutes,
    ...createDigestRoutes(),
    ...createTokenRoutes(now),
    ...statusRoutes,
    ...streamRoutes,
    ...echoRoutes,
    ...sampleRoutes,
  ];
  const app = new Hono();
  app.use("/users/*", etag());
  mountRoutes(app, [describeRoutes(routes), ...routes]);
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

/**
 * Registers routes. hono answers HEAD by the GET route. OPTIONS, and any other method with 405, are answered
 * with the methods of the path.
 */
function mountRoutes(app: Hono, routes: readonly Route[]): void {
  for (const [path, group] of groupByPath(routes)) {
    for (const { method, handle } of group) {
      if (method === "ANY") app.all(path, handle);
      else app.on(method, path, handle);
    }
    const allow = allowedMethods(group).join(", ");
    const acceptPatch = group.find((route) => route.acceptPatch)?.acceptPatch;
    const headers = { Allow: allow, ...(acceptPatch && { "Accept-Patch": acceptPatch }) };
    app.all(path, ({ req: { method, path: at } }) => {
      if (method === "OPTIONS") return respond(204, headers);
      const detail = `Method "${method}" is not allowed at "${at}": use ${allow}`;
      throw new Problem(405, detail, { headers });
    });
  }
}

/** The description of all routes at `/`. */
function describeRoutes(routes: readonly Route[]): Route {
  const described = [...groupByPath(routes)].map(([path, group]) => ({
    path: path.replace(/:(\w+)/g, "{$1}"),
    methods: allowedMethods(group),
    summary: group.map(({ summary }) => summary).join(". "),
    example: group.find(({ example }) => example)?.example,
  }));
  const description = "A small users API to try requests on; it forgets everything when it ends";
  return {
    method: "GET",
    path: "/",
    summary: "Describes the routes",
    handle: () => respondJson(200, { name: "restlab demo", description, routes: described }),
  };
}

/** The routes of each path, in the order of the table. */
function groupByPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

/** The methods of one path, as `Allow` lists them. */
function allowedMethods(group: readonly Route[]): readonly string[] {
  const methods = group.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return methods.includes("ANY") ? methods : [...methods, "OPTIONS"];
}
