import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

/** Where its API is, with the version. */
export const api = "open.tiktokapis.com/v2";

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

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  const ways: Ways = {
    isAudited: true,
    capIsReached: false,
    postsPerDay: null,
    verifiedHosts: null,
    moderationSeconds: 0,
    knowsNoPublication: false,
    refusesLoginWith200: false,
    nextChunkTakes: null,
    minChunkBytes: 1,
  };
  return {
    ...createBasics(ports),
    accounts: [] as Account[],
    publications: [] as Publication[],
    jobs: createJobs<string>(ports.clock),
    ways,
    /** That many, the first of them no zero. */
    digits: (length: number): string => randomText(ports, 1, "123456789") + randomText(ports, length - 1, "0123456789"),
  };
}

export function addPublication(
  state: State,
  given: Pick<Publication, "id" | "account" | "kind" | "isDraft" | "info" | "files"> & Partial<Publication>,
): Publication {
  const postId = `7${state.digits(18)}`;
  const publication = { upload: null, created_at: state.now(), job: null, whole_at: null, postId, ...given };
  state.publications.push(publication);
  return publication;
}

export function textOf({ info, kind }: Publication): string {
  return String((kind === "video" ? info.title : info.description) ?? "");
}
