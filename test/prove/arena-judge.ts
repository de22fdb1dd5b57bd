import type { Post } from "../../src/publishing/schema.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import type { IntentRow } from "../../src/sending/intent.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import { filesOn } from "../networks/scenes.ts";
import { judgeDeliveries } from "../support/delivery-verdict.ts";
import { judgeRepeatedFields } from "../support/repeated-fields.ts";
import { settlementsOf } from "../support/settlement-watch.ts";
import { judgeTarget } from "../support/verdict.ts";
import type { Arena } from "./arena.ts";
import { addFindings, addTally, type Tally } from "./tally.ts";

/** Judges what the networks show, what receivers were told, and when it went out. */
export async function judgeArena(arena: Arena, tally: Tally): Promise<void> {
  const posts = await judgePosts(arena, tally);
  addFindings(tally, arena.options.name, await judgeRepeatedFields(arena.storage));
  await judgeTelling(arena, posts, tally);
  judgeTimes(arena, tally);
}

/** Returns the posts as they have ended. */
async function judgePosts({ options, accounts, social, storage, plan }: Arena, tally: Tally): Promise<Post[]> {
  const intents = await storage.find("intents", { where: {} });
  const unanswered = intents.rows.filter((row) => fromRow<IntentRow>(row).private.unknown_since !== null).length;
  addTally(tally, { unanswered });
  const stored = await storage.find("posts", { where: {} });
  const shown = new Map<string, SandboxPost[]>();
  for (const { profile, posts } of accounts) shown.set(profile.id, await posts());
  const ended: Post[] = [];
  const idOf = new Map(stored.rows.map((row) => [row.idempotency_key, row.id]));
  for (const { key, body, texts } of plan) {
    addTally(tally, { tried: 1 });
    const id = idOf.get(key);
    const post = id === undefined ? null : await social.posts.get(id);
    if (post !== null) ended.push(post);
    else addFindings(tally, `${options.name}, ${key}`, [{ what: "lost", message: "it was never stored" }]);
    for (const profileId of body.profile_ids) {
      const account = accounts.find(({ profile }) => profile.id === profileId);
      if (account === undefined) throw new Error(`No account has the profile ${profileId}.`);
      const { findings, ...ends } = judgeTarget({
        name: account.name,
        canBeAsked: account.canBeAsked,
        expected: { texts, media: filesOn(account, body.media?.length ?? 0) },
        target: post?.targets.find((target) => target.profile_id === profileId),
        shown: (shown.get(profileId) ?? []).filter(
          (each) => each.account === account.profile.external_id && texts.includes(each.text),
        ),
        wasHeard: false,
      });
      addTally(tally, ends);
      addFindings(tally, `${options.name}, ${key}`, findings);
    }
  }
  return ended;
}

async function judgeTelling(arena: Arena, posts: readonly Post[], tally: Tally): Promise<void> {
  const { options, accounts, endpoint, receiver, social, storage } = arena;
  const profiles = await Promise.all(accounts.map(({ profile }) => social.profiles.get(profile.id)));
  const { rows } = await storage.find("deliveries", { where: {} });
  const { findings, ...ends } = judgeDeliveries({
    posts,
    settlements: settlementsOf(posts),
    profiles,
    endpoint,
    rows: rows.map((row) => fromRow<DeliveryRow>(row)),
    received: receiver.taken(),
    toleranceSeconds: options.toleranceSeconds,
  });
  addTally(tally, ends);
  addFindings(tally, `${options.name}, deliveries`, findings);
}

function judgeTimes({ options, timetable }: Arena, tally: Tally): void {
  if (options.schedule === undefined) return;
  const { findings, lateMs } = timetable.judge();
  for (const { key, finding } of findings) addFindings(tally, `${options.name}, ${key}`, [finding]);
  const secondsAt = (place: number): number => Math.round((lateMs.at(place) ?? 0) / 1_000);
  const half = secondsAt(Math.floor(lateMs.length / 2));
  // Late are those behind a post of the same profile whose answer was lost.
  const late = `half went out within ${half} s, the latest ${secondsAt(-1)} s after its time`;
  addTally(tally, { notes: [`${lateMs.length} posts were scheduled and not too early; ${late}`] });
}
