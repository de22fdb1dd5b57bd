import type { SandboxPorts } from "../network.ts";
import { createBasics } from "../parts/simulation.ts";

/** https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08) */
export type Plan = "None" | "Basic" | "Premium" | "PremiumPlus";

export interface Account {
  id: string;
  username: string;
  name: string;
  plan: Plan;
  isSuspended: boolean;
  /** Communities that it is a member of. */
  communities: Set<string>;
  /** For so long a text of its own is not taken again, seconds. */
  remembersTextsSeconds: number;
}

/** Whom a post is for. */
export type Readers = "everybody" | "community" | "subscribers";

export interface Medium {
  id: string;
  account: Account;
  kind: "image" | "gif" | "video" | "subtitles";
  alt: string | null;
  warnings: string[];
  /** Languages. */
  subtitles: string[];
}

export interface StoredPost {
  id: string;
  account: Account;
  /** As it was sent, without the white space around it. */
  text: string;
  media: readonly Medium[];
  poll: { id: string; options: readonly string[] } | null;
  reply_to: string | null;
  readers: Readers;
  /** What else was sent of it. */
  given: Readonly<Record<string, unknown>>;
  created_at: number;
  isDeleted: boolean;
}

/** 2010-11-04, from where the upper bits count milliseconds. https://docs.x.com/fundamentals/x-ids (2026-08) */
const epochMs = 1_288_834_974_657n;

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  let counter = 0n;
  return {
    ...createBasics(ports),
    accounts: [] as Account[],
    posts: [] as StoredPost[],
    /** What the account's posts leave out. */
    hidden: new Set<Readers>(),
    /** The next answer to a new post lists problems, too. */
    answersBesideErrors: false,
    /** Ids that sort by time, beyond what a number holds. */
    newId(): string {
      counter += 1n;
      return String(((BigInt(Math.floor(ports.clock.now())) - epochMs) << 22n) | (counter & 0x3fffffn));
    },
  };
}
