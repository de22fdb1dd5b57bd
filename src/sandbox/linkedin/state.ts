import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createLag, type Lag } from "../parts/listing.ts";
import { createQuota, type Quota } from "../parts/quota.ts";
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

export interface State {
  members: Member[];
  organizations: Organization[];
  posts: StoredPost[];
  /** Versions of the API that are no more. */
  ended: Set<string>;
  /** Lists leave out what is in no feed. */
  hidesUnlisted: boolean;
  /** Members are not told how far their films are either. */
  hidesFilms: boolean;
  lag: Lag;
  quota: Quota;
  now(): number;
  /** Beyond what a number holds. */
  newId(): string;
}

export function createState({ clock }: SandboxPorts): State {
  let last = 7_400_000_000_000_000_000n;
  return {
    members: [],
    organizations: [],
    posts: [],
    ended: new Set(),
    hidesUnlisted: false,
    hidesFilms: false,
    lag: createLag(clock),
    quota: createQuota(clock),
    now: () => clock.now(),
    newId() {
      last += 1n;
      return String(last);
    },
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
