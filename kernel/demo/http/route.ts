import type { Context, Hono } from "hono";
import { Problem } from "./problem.ts";
import { respond } from "./respond.ts";

/** `ANY` matches every method. */
type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";

/** An entry of the route table, from which routing, the description at `/` and `Allow` are made. */
export interface Route {
  readonly method: RouteMethod;
  /** A path in hono's syntax, for example `/users/:id`. */
  readonly path: string;
  /** One sentence for the description at `/`. */
  readonly summary: string;
  /** A path and query to try. */
  readonly example?: string;
  /** The media types that PATCH accepts; OPTIONS lists them. */
  readonly acceptPatch?: string;
  readonly handle: (context: Context) => Response | Promise<Response>;
}

/**
 * Registers routes. hono answers HEAD by the GET route. OPTIONS, and any other method with 405, are answered
 * with the methods of the path.
 */
export function mountRoutes(app: Hono, routes: readonly Route[]): void {
  for (const [path, group] of groupByPath(routes)) {
    for (const { method, handle } of group) {
      if (method === "ANY") app.all(path, handle);
      else app.on(method, path, handle);
    }
    app.all(path, rejectMethod(group));
  }
}

/** The routes of each path, in the order of the table. */
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

function rejectMethod(group: readonly Route[]): Route["handle"] {
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
