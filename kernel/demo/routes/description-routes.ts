import { allowedMethods, groupByPath, type Route, respondJson } from "../http/mod.ts";

/** The description of all routes at `/`, made from the route table. */
export function descriptionRoutes(routes: readonly Route[]): readonly Route[] {
  const described = [...groupByPath(routes)].map(([path, group]) => ({
    path: path.replace(/:(\w+)/g, "{$1}"),
    methods: allowedMethods(group),
    summary: group.map(({ summary }) => summary).join(". "),
    example: group.find(({ example }) => example)?.example,
  }));
  return [
    {
      method: "GET",
      path: "/",
      summary: "Describes the routes",
      handle: () =>
        respondJson(200, {
          name: "restlab demo",
          description: "A small users API to try requests on; it forgets everything when it ends",
          routes: described,
        }),
    },
  ];
}
