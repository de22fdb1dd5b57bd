import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { Refusal } from "./refusal.ts";

interface GraphRefusalWays {
  /** @default 400 */
  status?: number;
  headers?: Record<string, string>;
  /** @default "OAuthException" */
  type?: string;
}

/** The upload host for videos. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
export const uploadHost = "rupload.facebook.com";

/** `POST /:id/feed`, derived from `/v26.0/1001/feed`. Ids of a Page's posts have two numbers. */
export function graphRoute({ method, url }: Pick<SandboxRequest, "method" | "url">): string {
  const path = url.pathname.replace(/\/v\d+\.\d+/, "").replace(/\/\d+(_\d+)?/, "/:id");
  return `${method} ${path}`;
}

/** The operation's name in failure scripts: reads of one object are distinguished by the requested fields. */
export function graphOperation(request: Pick<SandboxRequest, "method" | "url">): string {
  const route = graphRoute(request);
  return route === "GET /:id" ? `${route}?fields=${request.url.searchParams.get("fields") ?? ""}` : route;
}

/** A rejection by the Graph API. https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09) */
export function graphRefusal(
  code: number | `${number}/${number}`,
  message: string,
  { status = 400, headers = {}, type = "OAuthException" }: GraphRefusalWays = {},
): Refusal {
  const [own, subcode] = String(code).split("/").map(Number);
  const error = {
    message,
    type,
    code: own,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    is_transient: false,
    fbtrace_id: "AsandboxTrace",
  };
  return new Refusal(message, { code, status, headers, json: { error } });
}

/** The minutes until a limit ends. https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09) */
export function usageHeaders(
  business: string,
  { now, endsAt, type = "instagram" }: { now: number; endsAt: number; type?: "instagram" | "pages" },
): Record<string, string> {
  const minutes = Math.max(0, Math.ceil((endsAt - now) / 60_000));
  const usage = { type, call_count: 100, total_cputime: 1, total_time: 1 };
  return {
    "x-business-use-case-usage": JSON.stringify({
      [business]: [{ ...usage, estimated_time_to_regain_access: minutes }],
    }),
  };
}

/**
 * The usage by all calls of the app. Sent only after many calls.
 * https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09)
 */
export function appUsageHeaders(percent: number | null): Record<string, string> {
  if (percent === null) return {};
  return { "x-app-usage": JSON.stringify({ call_count: percent, total_time: 1, total_cputime: 1 }) };
}

/** A time as the Graph API writes it: `2026-11-20T12:00:00+0000`. */
export function graphTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "+0000");
}

/**
 * One page of a list, newest first, with the cursor of the next page.
 * https://developers.facebook.com/docs/graph-api/results (2026-09)
 *
 * @param edition cursors of another edition are rejected
 */
export function graphPage<Item>(items: readonly Item[], url: URL, edition = 0): { data: Item[]; paging?: object } {
  const limit = Math.min(Number(url.searchParams.get("limit") ?? 25), 100);
  const after = url.searchParams.get("after");
  const [from = 0, of] = after === null ? [0, edition] : atob(after).split("/").map(Number);
  if (of !== edition) throw graphRefusal(100, "(#100) Invalid parameter: after");
  const data = items.slice(from, from + limit);
  if (data.length === 0) return { data };
  const cursors = { before: btoa(`${from}/${edition}`), after: btoa(`${from + data.length}/${edition}`) };
  const next = new URL(url);
  next.searchParams.set("after", cursors.after);
  const isLast = from + data.length >= items.length;
  return { data, paging: isLast ? { cursors } : { cursors, next: next.href } };
}

/** The lists of a network that can invalidate its cursors. */
export interface GraphLists {
  page<Item>(items: readonly Item[], url: URL): { data: Item[]; paging?: object };
  /** Invalidates all cursors that were returned: "Don't store cursors". Same source. */
  forgetCursors(): void;
}

export function createGraphLists(): GraphLists {
  let edition = 0;
  return {
    page: (items, url) => graphPage(items, url, edition),
    forgetCursors() {
      edition += 1;
    },
  };
}

/** `a,b{c,d}` contains a and b. */
export function topLevelFields(fields: string): string[] {
  return fields.replace(/\{[^{}]*\}/g, "").split(",");
}

/**
 * Adds `#_` after the code in the browser's redirect.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login
 * (2026-03)
 */
export function withTail(answer: SandboxAnswer): SandboxAnswer {
  const location = answer.headers?.location;
  return location === undefined ? answer : { ...answer, headers: { ...answer.headers, location: `${location}#_` } };
}
