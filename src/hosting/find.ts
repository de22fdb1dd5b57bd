import { mediaError } from "../media/fetch-failure.ts";
import type { MediaFacts } from "../media/probe/facts.ts";
import { isRefusal, SocialError } from "../wire/errors.ts";
import { withDirectFile } from "./direct.ts";
import type { HostingPorts } from "./ports.ts";
import { shownOrRetired } from "./retire.ts";
import { type MediaRow, readMediaRow, type ShownMedia } from "./rows.ts";

/** What is known of a hosted file. */
export type HostedFacts = MediaFacts & { size_bytes: number };

/**
 * A file as everybody sees it; null when there is none, or no longer.
 *
 * @throws SocialError when it has just come and is none of those that are taken
 */
export async function findFile(ports: HostingPorts, key: string): Promise<ShownMedia | null> {
  return shownFrom(ports, await readMediaRow(ports.storage, key));
}

async function shownFrom(ports: HostingPorts, found: MediaRow | null): Promise<ShownMedia | null> {
  const row = await withDirectFile(ports, found);
  return row === null ? null : shownOrRetired(ports, row, await ports.storage.now());
}

/** As `findFile`, by its address, for the account that has it: null as well for the file of another, and for what was made for posts. */
export async function findOwnFile(ports: HostingPorts, accountId: string, url: string): Promise<ShownMedia | null> {
  const key = ports.addresses.keyOf(url);
  const row = key === null ? null : await readMediaRow(ports.storage, key);
  return row?.account_id === accountId && row.status !== "derived" ? shownFrom(ports, row) : null;
}

/** @throws SocialError `not_found` */
export async function assertOwnFile(ports: HostingPorts, accountId: string, url: string): Promise<ShownMedia> {
  const found = await findOwnFile(ports, accountId, url);
  if (found === null) throw new SocialError("not_found", "This account has no such file.");
  return found;
}

/** @throws PublishingError `media_error`, the same for a file of another account as for none */
export async function findForPost(ports: HostingPorts, accountId: string, url: string): Promise<ShownMedia> {
  const found = await findOwnFile(ports, accountId, url).catch((error: unknown) => {
    // Somebody else has written it, and it is none of those that are taken.
    if (isRefusal(error)) throw mediaError(url, `was rejected. ${error.details[0]?.message ?? error.message}`, error);
    throw error;
  });
  if (found === null) throw mediaError(url, "does not exist or was deleted; upload the file again");
  return found;
}
