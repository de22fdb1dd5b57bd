import { eraseMessages, eraseWaiting } from "../inbox/erase.ts";
import { inboxIdOf } from "../inbox/rows.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { CollectionName } from "../storage/schema.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { wipeErased } from "../storage/wipe-deleted.ts";
import { SocialError } from "../wire/errors.ts";
import type { AccountPorts } from "./ports.ts";

/**
 * First what lets others in or tells others; then what can publish; then what
 * was published. A profile goes last of what is its own: it is the way there.
 *
 * @throws SocialError `conflict` while a profile is still publishing
 */
export async function eraseAccount(ports: AccountPorts, accountId: string): Promise<void> {
  const { storage } = ports;
  const where = { account_id: accountId };
  await deleteFound(storage, "keys", where);
  const webhooks = ports.webhooks(accountId);
  await eachOf(storage, "endpoints", accountId, (id) => webhooks.delete(id));
  await deleteFound(storage, "connections", where, { along: "due_at" });
  const profiles = ports.profiles(accountId);
  await eachOf(storage, "profiles", accountId, (id) => endProfile(storage, profiles, id));
  await deleteFound(storage, "posts", where, { alongside: (ids) => withPosts(storage, ids) });
  await eachOf(storage, "profiles", accountId, (id) => eraseProfile(storage, id));
  await ports.hosting.eraseAll(accountId);
  await deleteFound(storage, "forgotten", where);
  await wipeErased(storage);
}

/** Rows read at a time. */
const rowsAtOnce = 100;

/** Calls `act` with the id of each row of an account, in their order. */
async function eachOf(
  storage: Storage,
  collection: "endpoints" | "profiles",
  accountId: string,
  act: (id: string) => Promise<void>,
): Promise<void> {
  for (let after = ""; ; ) {
    const { rows } = await storage.find(collection, {
      where: { account_id: accountId, id: { gte: after } },
      order: { column: "id", direction: "asc" },
      limit: rowsAtOnce,
      isCounted: false,
    });
    const ids = rows.map(({ id }) => id).filter((id) => id !== after);
    for (const id of ids) await act(id);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Nothing is published on it any more, and its credentials are destroyed. */
async function endProfile(storage: Storage, profiles: Pick<Profiles, "disconnect">, id: string): Promise<void> {
  await profiles.disconnect(id);
  const row = await storage.get("profiles", id);
  if (row === null || fromRow<ProfileRow>(row).private.secret === null) return;
  const message = `The profile ${id} is still publishing. Call again in a minute: it continues where it stopped.`;
  throw new SocialError("conflict", message);
}

/** What is written with the deletion of posts: all that belongs to them goes. */
async function withPosts(storage: Storage, postIds: readonly string[]): Promise<Operation[]> {
  const ofPosts = { post_id: { in: postIds } };
  const targets = await deletions(storage, "targets", ofPosts);
  const subjects = { subject_id: { in: targets.map(({ id }) => id) } };
  return [
    ...(await deletions(storage, "intents", subjects)),
    ...(await deletions(storage, "publications", subjects)),
    ...(await deletions(storage, "media_uses", ofPosts)),
    ...targets,
  ];
}

async function deletions(
  storage: Storage,
  collection: CollectionName,
  where: Record<string, { in: readonly string[] }>,
): Promise<Extract<Operation, { kind: "delete" }>[]> {
  const { rows } = await storage.find(collection, { where, isCounted: false });
  return rows.map(({ id }) => ({ kind: "delete", collection, id }));
}

/** The inbox's row goes first: without it nothing is taken in. */
async function eraseProfile(storage: Storage, id: string): Promise<void> {
  const inboxId = inboxIdOf(id);
  await storage.write([{ kind: "delete", collection: "inboxes", id: inboxId }]);
  await eraseWaiting(storage, inboxId);
  await eraseMessages(storage, id);
  await deleteFound(storage, "intents", { profile_id: id }, { along: "state" });
  await storage.write([
    { kind: "delete", collection: "grants", id },
    { kind: "delete", collection: "profiles", id },
  ]);
}
