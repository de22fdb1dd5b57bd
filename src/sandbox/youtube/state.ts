import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Jobs } from "../parts/jobs.ts";
import { createLag, type Lag } from "../parts/listing.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { createQuota, type Quota } from "../parts/quota.ts";

/** A Google account, which has one channel or none. */
export interface Account {
  email: string;
  channel: Channel | null;
}

export interface Channel {
  id: string;
  title: string;
  handle: string;
  /** It has a verified phone number: long videos, thumbnails of its own. */
  isVerified: boolean;
  isSuspended: boolean;
  /** Its uploads are not known any more once they are finished, instead of answering as they did. */
  forgetsUploads: boolean;
  playlists: Playlist[];
}

export interface Playlist {
  id: string;
  title: string;
}

/** How the work on a video ends, if not well. */
export interface VideoFailure {
  status: "failed" | "rejected";
  reason: string;
}

export interface Video {
  id: string;
  channel: Channel;
  resource: JsonObject & { snippet: JsonObject; status: JsonObject };
  notifies: boolean;
  /** Of the file, bytes, and what it is known by: SHA-256 in hexadecimal. */
  size: number;
  hash: string;
  created_at: number;
  job: { ready_at: number; failure: VideoFailure | null };
  /** Bytes of its own thumbnail; null: it has none. */
  thumbnail: number | null;
  deleted: boolean;
}

/** An upload: nothing is on the channel before its last byte has come. */
export interface Session {
  id: string;
  channel: Channel;
  resource: Video["resource"];
  parts: string[];
  notifies: boolean;
  total: number;
  /** Null once it is finished. */
  bytes: Uint8Array | null;
  held: number;
  video: Video | null;
  isForgotten: boolean;
  created_at: number;
}

export interface PlaylistItem {
  id: string;
  playlistId: string;
  video: Video;
  created_at: number;
}

export interface Comment {
  id: string;
  video: Video;
  author: Channel;
  text: string;
  created_at: number;
}

export interface State {
  apps: LoginApp[];
  accounts: Account[];
  sessions: Session[];
  videos: Video[];
  items: PlaylistItem[];
  comments: Comment[];
  lag: Lag;
  /** Whatever publishes is refused. */
  quota: Quota;
  /** The project's units of the day are used up. */
  units: Quota;
  jobs: Jobs<VideoFailure>;
  ways: Ways;
  now(): number;
  /** `length` characters as YouTube's ids have them. */
  id(length: number): string;
}

/** In what it is not always the same. */
export interface Ways {
  /** Uploads that the project may begin in a day; null: any number. */
  uploadsPerDay: number | null;
  /** Of the next chunk only so many bytes arrive, once; null: all of them. */
  nextChunkTakes: number | null;
  /** What videos become, whatever is asked for; null: what is asked for. */
  privacyBecomes: string | null;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export function createState({ clock, random }: SandboxPorts): State {
  return {
    apps: [],
    accounts: [],
    sessions: [],
    videos: [],
    items: [],
    comments: [],
    lag: createLag(clock),
    quota: createQuota(clock),
    units: createQuota(clock),
    jobs: createJobs(clock),
    ways: { uploadsPerDay: null, nextChunkTakes: null, privacyBecomes: null },
    now: () => clock.now(),
    id: (length) => Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join(""),
  };
}
