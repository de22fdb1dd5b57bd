import { eraseMessages, eraseWaiting } from "../inbox/erase.ts";
import { inboxIdOf } from "../inbox/rows.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { deletionsWithPosts } from "../publishing/erase.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { wipeErased } from "../storage/wipe-deleted.ts";
import { SocialError } from "../wire/errors.ts";
import type { AccountPorts } from "./ports.ts";

/**
 * Erases an account. First keys and endpoints, which give access or send data; then profiles, which can publish; then
 * posts. Of a profile's data, the profile itself goes last, because the rest is found through it.
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
  await deleteFound(storage, "posts", where, { alongside: (ids) => deletionsWithPosts(storage, ids) });
  await eachOf(storage, "profiles", accountId, (id) => eraseProfile(storage, id));
  await ports.hosting.eraseAll(accountId);
  await deleteFound(storage, "forgotten", where);
  await wipeErased(storage);
}

/** Rows read at a time. */
const rowsAtOnce = 100;

/** Calls `act` with the id of each row of an account, in order. */
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

/** Disconnects a profile, and checks that its credentials are deleted. */
async function endProfile(storage: Storage, profiles: Pick<Profiles, "disconnect">, id: string): Promise<void> {
  await profiles.disconnect(id);
  const row = await storage.get("profiles", id);
  if (row === null || fromRow<ProfileRow>(row).private.secret === null) return;
  const message = `The profile ${id} is still publishing. Call again in a minute: it continues where it stopped.`;
  throw new SocialError("conflict", message);
}

/** The inbox's row goes first: without it no messages are stored. */
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
