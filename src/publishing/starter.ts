import { createTurns } from "../async/in-turn.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { fromRow } from "../storage/typed.ts";
import { leaseMs } from "../work/lease.ts";
import type { StartPorts } from "./ports.ts";
import type { PostRow } from "./rows.ts";
import { backlogAfterMs, betweenTriesMs, latenessOf, readStarts, startOnce } from "./start.ts";

/** Starts due scheduled posts, the earliest first, without those of `exceptAccounts`. */
export type StartDuePosts = (limit: number, exceptAccounts: readonly string[]) => Promise<BegunStart[]>;

interface BegunStart {
  accountId: string;
  /**
   * The profiles that now have due work: none if the post was postponed, or another process started it. Never rejects.
   */
  profileIds: Promise<readonly string[]>;
}

/** How often a profile may change between being read and the start of a backlog's post on it. */
const maxConflicts = 20;

const startOf = ({ scheduled_at, created_at }: PostRow): number => Date.parse(scheduled_at ?? created_at);

/** Starts run independently: a slow host of files delays no other post. */
export function createStarter(ports: StartPorts): StartDuePosts {
  const { storage, clock, logger } = ports;
  /** Ids of posts that this process is starting. */
  const starting = new Set<string>();
  /** Posts that this process does not retry before a time, monotonic, by id. */
  const resting = new Map<string, number>();
  const inTurn = createTurns();

  /** A start that takes longer than a claim lasts is claimed again, so that no other process begins it. */
  async function takeDue(now: number, limit: number, exceptAccounts: readonly string[]): Promise<PostRow[]> {
    if (storage.claimPosts === undefined) return findDue(now, limit, exceptAccounts);
    const claimed = await storage.claimPosts({ now, leaseUntil: now + leaseMs, limit, exceptAccounts });
    const posts = claimed.map((row) => fromRow<PostRow>(row)).filter(({ id }) => !starting.has(id));
    return posts.sort((one, other) => startOf(one) - startOf(other));
  }

  /** For a storage without `claimPosts`: other processes find the same posts. */
  async function findDue(now: number, limit: number, exceptAccounts: readonly string[]): Promise<PostRow[]> {
    const moment = clock.monotonic();
    for (const [id, until] of resting) if (until <= moment) resting.delete(id);
    const due = await storage.find("posts", {
      where: {
        status: "scheduled",
        due_at: { lte: now },
        ...(exceptAccounts.length === 0 ? {} : { account_id: { not_in: exceptAccounts } }),
      },
      order: { column: "due_at", direction: "asc" },
      limit: limit + starting.size + resting.size,
      isCounted: false,
    });
    const posts = due.rows.map((row) => fromRow<PostRow>(row));
    return posts.filter(({ id }) => !starting.has(id) && !resting.has(id)).slice(0, limit);
  }

  function begin(post: PostRow, work: () => Promise<readonly string[]>): BegunStart {
    starting.add(post.id);
    const profileIds = work()
      .catch((error: unknown) => {
        logger.error("a start was interrupted; it is retried", { post: post.id, error: String(error) });
        resting.set(post.id, clock.monotonic() + betweenTriesMs);
        return [];
      })
      .finally(() => starting.delete(post.id));
    return { accountId: post.account_id, profileIds };
  }

  return async (limit, exceptAccounts) => {
    const now = await storage.now();
    const posts = await takeDue(now, limit, exceptAccounts);
    const isBacklog = (post: PostRow): boolean => latenessOf(ports, post, now) >= backlogAfterMs;
    const onTime = await readStarts(
      ports,
      posts.filter((post) => !isBacklog(post)),
    );
    return [
      ...onTime.map((start) => begin(start.post, () => startOnce(ports, start, now))),
      ...posts.filter(isBacklog).map((post) => begin(post, () => inTurn(post.account_id, () => startAlone(post)))),
    ];
  };

  /** Starts a post of a backlog at the pace of its profile, on which another process may be starting a post, too. */
  function startAlone(post: PostRow): Promise<readonly string[]> {
    const attempt = async (): Promise<readonly string[]> => {
      const now = await storage.now();
      const [start] = await readStarts(ports, [post]);
      return start === undefined ? [] : startOnce(ports, start, now);
    };
    return retryConflicts(attempt, { max: maxConflicts });
  }
}
