import type { Context, Hono } from "hono";
import { Problem } from "./problem.ts";
import { respond } from "./respond.ts";

/** A method of a route; `ANY` answers every method. */
export type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";

/** One line of the route table: what is registered, described and allowed comes from it alone. */
export interface Route {
  readonly method: RouteMethod;
  /** A path as hono spells it, `/users/:id`. */
  readonly path: string;
  /** One sentence for the description at `/`. */
  readonly summary: string;
  /** Something to try, a path with its query. */
  readonly example?: string;
  /** Media types that a PATCH takes, told by OPTIONS. */
  readonly acceptPatch?: string;
  readonly handle: (context: Context) => Response | Promise<Response>;
}

/**
 * Registers routes. HEAD is answered where GET is (by hono); OPTIONS and, with 405, any other method
 * are answered with the methods that the path has.
 */
export function mountRoutes(app: Hono, routes: readonly Route[]): void {
  for (const [path, group] of groupByPath(routes)) {
    for (const { method, handle } of group) {
      if (method === "ANY") app.all(path, handle);
      else app.on(method, path, handle);
    }
    app.all(path, otherMethod(group));
  }
}

/** Paths with their routes, in the order of the table. */
export function groupByPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.path);
    if (group) group.push(route);
    else groups.set(route.path, [route]);
  }
  return groups;
}

/** The methods of one path, as `Allow` lists them. */
export function allowedMethods(group: readonly Route[]): readonly string[] {
  const methods = group.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return methods.includes("ANY") ? methods : [...methods, "OPTIONS"];
}

function otherMethod(group: readonly Route[]): Route["handle"] {
  const allow = allowedMethods(group).join(", ");
  const acceptPatch = group.find((route) => route.acceptPatch)?.acceptPatch;
  const headers = { Allow: allow, ...(acceptPatch && { "Accept-Patch": acceptPatch }) };
  return ({ req }) => {
    if (req.method === "OPTIONS") return respond(204, headers);
    throw new Problem(405, `Method "${req.method}" is not allowed at "${req.path}": use ${allow}`, {
      headers,
    });
  };
}
