import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { Refusal } from "./refusal.ts";

interface GraphRefusalWays {
  /** @default 400 */
  status?: number;
  headers?: Record<string, string>;
  /** @default "OAuthException" */
  type?: string;
}

/** Where videos are sent. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
export const uploadHost = "rupload.facebook.com";

/** `POST /:id/feed`, out of `/v26.0/1001/feed`. Posts of Pages have two numbers. */
export function graphRoute({ method, url }: Pick<SandboxRequest, "method" | "url">): string {
  const path = url.pathname.replace(/\/v\d+\.\d+/, "").replace(/\/\d+(_\d+)?/, "/:id");
  return `${method} ${path}`;
}

/** As failure scripts name it: what is read of one object is told apart by the fields that are asked for. */
export function graphOperation(request: Pick<SandboxRequest, "method" | "url">): string {
  const route = graphRoute(request);
  return route === "GET /:id" ? `${route}?fields=${request.url.searchParams.get("fields") ?? ""}` : route;
}

/** As the Graph API refuses. https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09) */
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

/** A limit's end, in minutes. https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09) */
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

/** Of all calls of the app. They come once there were many. https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09) */
export function appUsageHeaders(percent: number | null): Record<string, string> {
  if (percent === null) return {};
  return { "x-app-usage": JSON.stringify({ call_count: percent, total_time: 1, total_cputime: 1 }) };
}

/** A moment as the Graph API writes it: `2026-11-20T12:00:00+0000`. */
export function graphTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "+0000");
}

/**
 * One page of a list, newest first, with the cursor to the next. https://developers.facebook.com/docs/graph-api/results (2026-09)
 *
 * @param edition cursors of another one are refused
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

/** The lists of a network that may forget which cursors it has given. */
export interface GraphLists {
  page<Item>(items: readonly Item[], url: URL): { data: Item[]; paging?: object };
  /** The cursors that are out lead nowhere any more: "Don't store cursors". Same source. */
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

/** `a,b{c,d}` holds a and b. */
export function topLevelFields(fields: string): string[] {
  return fields.replace(/\{[^{}]*\}/g, "").split(",");
}

/** The browser comes back with `#_` behind the code. https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login (2026-03) */
export function withTail(answer: SandboxAnswer): SandboxAnswer {
  const location = answer.headers?.location;
  return location === undefined ? answer : { ...answer, headers: { ...answer.headers, location: `${location}#_` } };
}
