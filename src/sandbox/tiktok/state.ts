import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job, type Jobs } from "../parts/jobs.ts";
import { createLag, type Lag } from "../parts/listing.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { createQuota, type Quota } from "../parts/quota.ts";

/** By TikTok's own words. */
export type PrivacyLevel = "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";

export interface Account {
  open_id: string;
  username: string;
  name: string;
  isPrivate: boolean;
  commentsAreOff: boolean;
  maxVideoSeconds: number;
  isBanned: boolean;
}

/** What is posted, or lies in an inbox, when the work on it is done. */
export interface Publication {
  id: string;
  account: Account;
  kind: "video" | "photo";
  isDraft: boolean;
  /** As it was given; empty: a draft of a video has none. */
  info: Readonly<Record<string, unknown>>;
  /** Of the video; null: photos. */
  upload: Upload | null;
  /** How many files it has. */
  files: number;
  created_at: number;
  /** Null while bytes are missing. */
  job: Job<string> | null;
  /** When all of it was there; null: it is not. */
  whole_at: number | null;
  postId: string;
  isDeleted: boolean;
}

export interface Upload {
  /** What its address is known by. */
  token: string;
  total: number;
  chunk: number;
  count: number;
  held: number;
  bytes: Uint8Array;
}

export interface State {
  apps: LoginApp[];
  accounts: Account[];
  publications: Publication[];
  lag: Lag;
  /** Whatever begins a publication is refused. */
  quota: Quota;
  jobs: Jobs<string>;
  ways: Ways;
  now(): number;
  /** That many digits, the first of them no zero. */
  digits(length: number): string;
}

/** In what it is not always the same. */
export interface Ways {
  /** TikTok has audited the app. */
  isAudited: boolean;
  /** As many as the app lets post in a day have. */
  capIsReached: boolean;
  /** Posts of an account in a day, by any app; null: any number. */
  postsPerDay: number | null;
  /** Hosts that pictures are fetched from; null: any. */
  verifiedHosts: readonly string[] | null;
  /** How long moderation takes before an id is told, seconds. */
  moderationSeconds: number;
  /** No publication is known to whoever asks. */
  knowsNoPublication: boolean;
  /** The login refuses with 200. */
  refusesLoginWith200: boolean;
  /** Of the next piece only so many bytes arrive, once; null: all of them. */
  nextChunkTakes: number | null;
  /** Smallest piece of a file but the last, bytes. TikTok's is 5,000,000; here files are small. */
  minChunkBytes: number;
}

export function createState({ clock, random }: SandboxPorts): State {
  return {
    apps: [],
    accounts: [],
    publications: [],
    lag: createLag(clock),
    quota: createQuota(clock),
    jobs: createJobs(clock),
    ways: {
      isAudited: true,
      capIsReached: false,
      postsPerDay: null,
      verifiedHosts: null,
      moderationSeconds: 0,
      knowsNoPublication: false,
      refusesLoginWith200: false,
      nextChunkTakes: null,
      minChunkBytes: 1,
    },
    now: () => clock.now(),
    digits: (length) =>
      Array.from({ length }, (_, index) => Math.floor(random() * (index === 0 ? 9 : 10)) + (index === 0 ? 1 : 0)).join(
        "",
      ),
  };
}

export function textOf({ info, kind }: Publication): string {
  return String((kind === "video" ? info.title : info.description) ?? "");
}
