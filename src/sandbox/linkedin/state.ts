import type * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import { createIds } from "../parts/ids.ts";
import { createBasics } from "../parts/simulation.ts";
import { refusal } from "./refusal.ts";

export interface Member {
  /** `urn:li:person:…` */
  urn: string;
  name: string;
  /** The name in the URL of the member's page. */
  vanityName: string;
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role (2026-08) */
export type Role =
  | "ADMINISTRATOR"
  | "CONTENT_ADMINISTRATOR"
  | "DIRECT_SPONSORED_CONTENT_POSTER"
  | "ANALYST"
  | "RECRUITING_POSTER";

export interface Organization {
  /** `urn:li:organization:…` */
  urn: string;
  name: string;
  vanityName: string;
  /** The URL of its logo; null: none. */
  logo: string | null;
  /** The roles, by the members' URNs. */
  roles: Map<string, Role>;
}

/** A post or a comment, as LinkedIn stores it. */
export interface StoredPost {
  /** Its URN. */
  urn: string;
  /** The URN of its author. */
  author: string;
  /** The markup, as sent. */
  commentary: string;
  /** The text that readers see. */
  shown: string;
  /** The other sent fields. */
  given: JsonObject;
  /** Its files, in order. */
  files: readonly { urn: string; alt: string }[];
  /** For a comment: the post's URN. */
  under: string | null;
  /** Milliseconds since 1970. */
  created_at: number;
  /** True: it was deleted. */
  isDeleted: boolean;
}

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  return {
    ...createBasics(ports),
    members: [] as Member[],
    organizations: [] as Organization[],
    posts: [] as StoredPost[],
    /** The API versions that have ended. */
    ended: new Set<string>(),
    /** True: lists omit posts that are in no feed. */
    hidesUnlisted: false,
    /** True: members cannot read the status of videos either. */
    hidesVideos: false,
    newId: createIds(7_400_000_000_000_000_000n, 1n),
  };
}

/** The roles that may post. Same source. */
const posting: ReadonlySet<Role> = new Set([
  "ADMINISTRATOR",
  "CONTENT_ADMINISTRATOR",
  "DIRECT_SPONSORED_CONTENT_POSTER",
]);

export function mayPostFor(state: State, member: string, author: string): boolean {
  if (author === member) return true;
  const role = state.organizations.find(({ urn }) => urn === author)?.roles.get(member);
  return role !== undefined && posting.has(role);
}

export function postOf(state: State, urn: string): StoredPost {
  const post = state.posts.find((each) => each.urn === urn && !each.isDeleted);
  if (post === undefined) throw refusal(404, "NOT_FOUND", `Could not find entity ${urn}`);
  return post;
}

/** The part of a list that `start` and `count` request. */
export function listed<Item>(
  { searchParams }: URL,
  all: readonly Item[],
  shown: (item: Item) => object,
): SandboxAnswer {
  const [start, count] = [Number(searchParams.get("start") ?? 0), Number(searchParams.get("count") ?? 10)];
  const elements = all.slice(start, start + count).map(shown);
  return ok({ elements, paging: { start, count, links: [] } });
}

/** The body, parsed as JSON. @throws Refusal */
export function bodyOf<Schema extends z.ZodType>(schema: Schema, request: SandboxRequest): z.output<Schema> {
  return readAs(schema, jsonBody(request), ([{ message }]) => refusal(400, "ILLEGAL_ARGUMENT", message));
}
