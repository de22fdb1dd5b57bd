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
  /** In the address of the member's page. */
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
  /** Address of its logo; null: it has none. */
  logo: string | null;
  /** By the members' names. */
  roles: Map<string, Role>;
}

export interface StoredPost {
  urn: string;
  author: string;
  /** The markup that was sent. */
  commentary: string;
  /** What readers see of it. */
  shown: string;
  /** What else was sent of it. */
  given: JsonObject;
  files: readonly { urn: string; alt: string }[];
  /** The post that it stands under: it is a comment. */
  under: string | null;
  created_at: number;
  isDeleted: boolean;
}

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  return {
    ...createBasics(ports),
    members: [] as Member[],
    organizations: [] as Organization[],
    posts: [] as StoredPost[],
    /** Versions of the API that are no more. */
    ended: new Set<string>(),
    /** Lists leave out what is in no feed. */
    hidesUnlisted: false,
    /** Members are not told how far their videos are either. */
    hidesFilms: false,
    newId: createIds(7_400_000_000_000_000_000n, 1n),
  };
}

/** Roles that may post. Same source. */
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

/** Part of a list, as `start` and `count` ask for it. */
export function listed<Item>(
  { searchParams }: URL,
  all: readonly Item[],
  shown: (item: Item) => object,
): SandboxAnswer {
  const [start, count] = [Number(searchParams.get("start") ?? 0), Number(searchParams.get("count") ?? 10)];
  const elements = all.slice(start, start + count).map(shown);
  return ok({ elements, paging: { start, count, links: [] } });
}

/** What stands in a body of JSON. @throws Refusal */
export function bodyOf<Schema extends z.ZodType>(schema: Schema, request: SandboxRequest): z.output<Schema> {
  return readAs(schema, jsonBody(request), ([{ message }]) => refusal(400, "ILLEGAL_ARGUMENT", message));
}
