import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

/** The API's host and version. */
export const api = "open.tiktokapis.com/v2";

/** The names are TikTok's. */
export type PrivacyLevel = "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";

/** An account. */
export interface Account {
  /** The account's id for this app. */
  open_id: string;
  /** Its username. */
  username: string;
  /** Its name. */
  name: string;
  /** True: only followers see its posts. */
  isPrivate: boolean;
  /** True: comments are disabled on all of its posts. */
  commentsAreOff: boolean;
  /** The maximum length of its videos, seconds. */
  maxVideoSeconds: number;
  /** True: TikTok has banned it from posting. */
  isBanned: boolean;
}

/** A publication, which is posted, or is in the inbox, once its processing is finished. */
export interface Publication {
  id: string;
  account: Account;
  kind: "video" | "photo";
  isDraft: boolean;
  /** The sent fields; empty for the draft of a video, which has none. */
  info: Readonly<Record<string, unknown>>;
  /** The video's upload; null: photos. */
  upload: Upload | null;
  /** The number of files. */
  files: number;
  created_at: number;
  /** Null while bytes are missing. */
  job: Job<string> | null;
  /** When all bytes had arrived; null: not yet. */
  whole_at: number | null;
  postId: string;
}

export interface Upload {
  /** The token in its URL. */
  token: string;
  total: number;
  chunk: number;
  count: number;
  held: number;
  bytes: Uint8Array;
}

/** Behaviours that can vary. */
export interface Ways {
  /** True: TikTok has audited the app. */
  isAudited: boolean;
  /** True: the app has reached its limit of posting users per day. */
  capIsReached: boolean;
  /** The maximum posts of an account per day, over all apps; null: no limit. */
  postsPerDay: number | null;
  /** The hosts from which images are fetched; null: any. */
  verifiedHosts: readonly string[] | null;
  /** How long moderation takes before the id is returned, seconds. */
  moderationSeconds: number;
  /** True: every publication is reported as unknown. */
  knowsNoPublication: boolean;
  /** True: sign-in errors have the status 200. */
  refusesLoginWith200: boolean;
  /** Only this many bytes of the next piece arrive, once; null: all of them. */
  nextChunkTakes: number | null;
  /** The minimum size of a piece, except the last, bytes. TikTok's is 5,000,000; files in the sandbox are small. */
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
    /** Random digits of this number, the first of them not 0. */
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
