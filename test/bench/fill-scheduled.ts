/** Scheduled posts, as many as are wanted, made of one that the service itself has stored. */
import { isoTime } from "../../src/ports/clock.ts";
import type { PostRow } from "../../src/publishing/rows.ts";
import type { SocialService } from "../../src/service.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { BenchDatabase } from "./database.ts";
import { multiplyRow, type RowCopy } from "./multiply.ts";

export interface ScheduledPost {
  /** What its ids are made of, and the last word of its text. */
  number: number;
  profileId: string;
  /** Milliseconds. */
  dueAt: number;
}

/** The original lies behind all that is measured, milliseconds from now. */
const originalAheadMs = 30 * 86_400_000;
const originalWord = "original-number";

/** The number of the post with this text; null for the original. */
export function numberIn(text: string): number | null {
  const digits = /number-(\d+)$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Makes scheduled posts, each with one target. */
export type FillScheduled = (posts: () => Iterable<ScheduledPost>) => Promise<void>;

/** Schedules one post through the service, in a month; what it returns makes copies of that. */
export async function createFill(
  database: BenchDatabase,
  social: SocialService,
  profileId: string,
): Promise<FillScheduled> {
  const scheduled_at = isoTime(Date.now() + originalAheadMs);
  const text = `Three rows of blue hills, the furthest of them nearly white, and a bird above: ${originalWord}`;
  const { id } = await social.posts.create({ profile_ids: [profileId], text, scheduled_at });
  const row = await database.storage.get("posts", id);
  const target = (await database.storage.find("targets", { where: { post_id: id }, limit: 1 })).rows[0];
  if (row === null || target === undefined) throw new Error("The post that was scheduled is not there.");
  const createdAt = Date.parse(fromRow<PostRow>(row).created_at);

  function copyPost({ number, profileId: profile, dueAt }: ScheduledPost): RowCopy {
    const at = isoTime(dueAt);
    return {
      columns: { id: postId(number), scheduled_at: at, due_at: dueAt, created_at: isoTime(createdAt + number) },
      words: { [originalWord]: `number-${number}`, [profileId]: profile, [scheduled_at]: at },
    };
  }

  function copyTarget({ number, profileId: profile }: ScheduledPost): RowCopy {
    const created_at = isoTime(createdAt + number);
    return { columns: { id: `tgt_${padded(number)}`, post_id: postId(number), profile_id: profile, created_at } };
  }

  return async (posts) => {
    await multiplyRow(database, { collection: "posts", id }, map(posts(), copyPost));
    await multiplyRow(database, { collection: "targets", id: target.id }, map(posts(), copyTarget));
  };
}

const dayMs = 86_400_000;

/** Schedules so many posts for the year that begins tomorrow, spread over the service's profiles. */
export async function fillForLater(
  database: BenchDatabase,
  { social, profileIds }: { social: SocialService; profileIds: readonly string[] },
  rows: number,
): Promise<void> {
  const [first = ""] = profileIds;
  const fill = await createFill(database, social, first);
  const from = Date.now() + dayMs;
  await fill(function* () {
    for (let number = 0; number < rows; number++) {
      const dueAt = from + Math.floor((number / rows) * 365 * dayMs);
      yield { number, dueAt, profileId: profileIds[number % profileIds.length] ?? first };
    }
  });
  await database.run("ANALYZE");
}

const postId = (number: number): string => `post_${padded(number)}`;
const padded = (number: number): string => String(number).padStart(26, "0");

function* map<Value, Mapped>(values: Iterable<Value>, change: (value: Value) => Mapped): Iterable<Mapped> {
  for (const value of values) yield change(value);
}
