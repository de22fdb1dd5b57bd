import type { SandboxPorts } from "../network.ts";
import { createBasics } from "../parts/simulation.ts";

/** https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08) */
export type Plan = "None" | "Basic" | "Premium" | "PremiumPlus";

/** An account. */
export interface Account {
  /** Its id. */
  id: string;
  /** Its username. */
  username: string;
  /** Its name. */
  name: string;
  /** The owner's subscription. */
  plan: Plan;
  /** True: X has suspended it. */
  isSuspended: boolean;
  /** The ids of its communities. */
  communities: Set<string>;
  /** How long an equal text of the account is rejected, seconds. */
  remembersTextsSeconds: number;
}

/** Who can see a post. */
export type Readers = "everybody" | "community" | "subscribers";

/** A file that was uploaded. */
export interface Medium {
  /** Its id. */
  id: string;
  /** The account that uploaded it. */
  account: Account;
  /** What it is. */
  kind: "image" | "gif" | "video" | "subtitles";
  /** Its alt text; null: none. */
  alt: string | null;
  /** Its content warnings. */
  warnings: string[];
  /** Languages of the subtitles. */
  subtitles: string[];
}

/** A post, as X stores it. */
export interface StoredPost {
  /** Its id. */
  id: string;
  /** Its author. */
  account: Account;
  /** The text as sent, without the white space around it. */
  text: string;
  /** Its files, in order. */
  media: readonly Medium[];
  /** Its poll; null: none. */
  poll: { id: string; options: readonly string[] } | null;
  /** The id of the post that it replies to; null: none. */
  reply_to: string | null;
  /** Who can see it. */
  readers: Readers;
  /** The other sent fields. */
  given: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  created_at: number;
  /** True: it was deleted. */
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
