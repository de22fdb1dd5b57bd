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
  /** The ids of its communities. */
  communities: Set<string>;
  /** How long an equal text of the account is rejected, seconds. */
  remembersTextsSeconds: number;
}

/** Who can see a post. */
export type Readers = "everybody" | "community" | "subscribers";

export interface Medium {
  id: string;
  account: Account;
  kind: "image" | "gif" | "video" | "subtitles";
  alt: string | null;
  warnings: string[];
  /** Languages of the subtitles. */
  subtitles: string[];
}

export interface StoredPost {
  id: string;
  account: Account;
  /** The text as sent, without the white space around it. */
  text: string;
  media: readonly Medium[];
  poll: { id: string; options: readonly string[] } | null;
  reply_to: string | null;
  readers: Readers;
  /** The other sent fields. */
  given: Readonly<Record<string, unknown>>;
  created_at: number;
  isDeleted: boolean;
}

/**
 * 2010-11-04: the upper bits of an id count milliseconds since then. https://docs.x.com/fundamentals/x-ids (2026-08)
 */
const epochMs = 1_288_834_974_657n;

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  let counter = 0n;
  return {
    ...createBasics(ports),
    accounts: [] as Account[],
    posts: [] as StoredPost[],
    /** The posts that the lists of accounts' posts omit. */
    hidden: new Set<Readers>(),
    /** True: the next response to a new post also lists errors. */
    answersBesideErrors: false,
    /** Ids that sort by time and exceed safe integers. */
    newId(): string {
      counter += 1n;
      return String(((BigInt(Math.floor(ports.clock.now())) - epochMs) << 22n) | (counter & 0x3fffffn));
    },
  };
}
