import type * as z from "zod";
import type { Connections } from "../connections/connections.ts";
import type { Media } from "../hosting/media.ts";
import type { UploadSource } from "../hosting/source.ts";
import type { AccountInbox } from "../inbox/inbox.ts";
import type { Scope } from "../keys/schema.ts";
import type { NetworkDescription } from "../networks/runtime/schema.ts";
import type { Posts } from "../posts/posts.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { RequestCode } from "../wire/errors.ts";
import type { Pagination } from "../wire/pagination.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The rate limit that a request counts against; a key has two. */
export type Bucket = "read" | "publish";

/** The modules that routes call. */
export interface Modules {
  posts: Posts;
  profiles: Profiles;
  connections: Connections;
  webhooks: Webhooks;
  media: Media;
  inbox: AccountInbox;
  networks: { list(): NetworkDescription[] };
}

/** One request to a route, parsed. */
export interface Call<Query, Body> {
  modules: Modules;
  /** The path's last parameter; empty: it has none. */
  id: string;
  /** The parameter before it: for a delivery, its webhook endpoint. Empty: there is none. */
  parentId: string;
  query: Query;
  body: Body;
  /** The file that came instead of a JSON body; null: none. */
  file: UploadSource | null;
  headers: Headers;
}

/** A route's result: `data`, and `meta.pagination` of a list. */
export interface Reply {
  data: unknown;
  pagination?: Pagination;
  /** Replaces the route's own status. */
  status?: number;
  headers?: Record<string, string>;
}

/**
 * One route as data. Routing, parsing, rights, limits, the OpenAPI document and the table in `examples/rest` all
 * derive from it.
 */
export interface Route {
  method: Method;
  /** `/v1/posts/{postId}`: at most two parameters. */
  path: string;
  /** Names the route in the OpenAPI document: `getPost`. */
  operation: string;
  summary: string;
  scope: Scope;
  bucket: Bucket;
  /** For routes where the body decides. True: this body, not yet parsed, publishes and counts as publishing. */
  publishes?(body: Record<string, unknown>, now: number): boolean;
  query: z.ZodObject | null;
  body: RouteBody | null;
  status: 200 | 201 | 204;
  /** `data` of a success; for a list, of one item. Null: there is none. */
  data: z.ZodType | null;
  isList: boolean;
  /** Failures other than those of every route. */
  errors: readonly RequestCode[];
  /** What the 200 response to a used `Idempotency-Key` contains. Absent: the route accepts no such key. */
  replay?: string;
  run(call: Call<never, never>): Promise<Reply>;
}

export interface RouteBody {
  schema: z.ZodObject;
  /** False: an empty body means `{}`. */
  isRequired: boolean;
  example: object;
  /** True: the body may also be a file, directly or in a form. @default false */
  mayBeFile?: boolean;
}
