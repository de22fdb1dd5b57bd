import { createTurns } from "../async/in-turn.ts";
import { fromRow } from "../storage/typed.ts";
import type { StartPorts } from "./ports.ts";
import type { PostRow } from "./rows.ts";
import { backlogAfterMs, betweenTriesMs, latenessOf, readStarts, startOnce } from "./start.ts";

/** Begins to start scheduled posts whose time has come, the earliest first, and none of the accounts in `exceptAccounts`. */
export type StartDuePosts = (limit: number, exceptAccounts: readonly string[]) => Promise<BegunStart[]>;

interface BegunStart {
  accountId: string;
  /** The profiles that have something to do now: none when the post was put off, or another process was faster. Never rejects. */
  profileIds: Promise<readonly string[]>;
}

/** Each start goes on by itself: a host of files that takes long holds up no other post. */
export function createStarter(ports: StartPorts): StartDuePosts {
  const { storage, clock, logger } = ports;
  /** Being started here, by id. */
  const starting = new Set<string>();
  /** Not to be tried again here before this, monotonic, by id. */
  const resting = new Map<string, number>();
  const inTurn = createTurns();

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
    const posts = await findDue(now, limit, exceptAccounts);
    const isBacklog = (post: PostRow): boolean => latenessOf(ports, post, now) >= backlogAfterMs;
    const onTime = await readStarts(
      ports,
      posts.filter((post) => !isBacklog(post)),
    );
    return [
      ...onTime.map((start) => begin(start.post, () => startOnce(ports, start, now))),
      ...posts.filter(isBacklog).map((post) => begin(post, () => inTurn(post.account_id, () => startAlone(post, now)))),
    ];
  };

  /** Keeps the distance to the post before it that is noted on their profile. */
  async function startAlone(post: PostRow, now: number): Promise<readonly string[]> {
    const [start] = await readStarts(ports, [post]);
    return start === undefined ? [] : startOnce(ports, start, now);
  }
}
