import type { Reply, Route } from "./route.ts";

/** The fields of a route except its action. */
type RouteKind = Omit<Route, "data" | "run">;

export function reads(path: string, operation: string, summary: string): RouteKind {
  const rights = { scope: "read", bucket: "read" } as const;
  return {
    ...rights,
    method: "GET",
    path,
    operation,
    summary,
    query: null,
    body: null,
    status: 200,
    isList: false,
    errors: [],
  };
}

export function publishes(path: string, operation: string, summary: string): RouteKind {
  return { ...reads(path, operation, summary), method: "POST", scope: "publish", bucket: "publish" };
}

export function changesProfiles(method: Route["method"], path: string, operation: string, summary: string): RouteKind {
  return { ...reads(path, operation, summary), method, scope: "profiles" };
}

export function webhookRoute(method: Route["method"], path: string, operation: string, summary: string): RouteKind {
  return { ...reads(path, operation, summary), method, scope: "webhooks" };
}

export function paged({ data, pagination }: { data: unknown[]; pagination: Reply["pagination"] }): Reply {
  return { data, ...(pagination === undefined ? {} : { pagination }) };
}
