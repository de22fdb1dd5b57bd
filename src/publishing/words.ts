import { replyPostOf, replyPublisherOf } from "../inbox/reply-post.ts";
import type { MessageRow } from "../inbox/rows.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Part } from "../networks/contract/plan.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import type { Publisher } from "../networks/contract/publish.ts";
import { publisherOf } from "../sending/post-act.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { partsOf } from "./parts.ts";
import type { TargetRow } from "./rows.ts";

/** What says what it shows, and of which parts. */
interface Speaker {
  parts: readonly Part[];
  publisher: Pick<Publisher, "says">;
}

/** What targets and answers say in one of their parts; null: that part is not known. */
export async function readWords(
  storage: Storage,
  { adapter, profile }: { adapter: NetworkAdapter; profile: ProfileFacts },
  ids: readonly string[],
): Promise<(id: string, part: number) => readonly string[] | null> {
  const where = { id: { in: ids } };
  const [targets, messages] = await Promise.all([
    storage.find("targets", { where, isCounted: false }),
    storage.find("messages", { where, isCounted: false }),
  ]);
  const speakers = new Map<string, Speaker>([
    ...targets.rows.map((row): [string, Speaker] => [
      row.id,
      { parts: partsOf(fromRow<TargetRow>(row), adapter), publisher: publisherOf(adapter) },
    ]),
    ...messages.rows.map((row): [string, Speaker] => [row.id, replySpeaker(fromRow(row), adapter, profile)]),
  ]);
  return (id, index) => {
    const { parts = [], publisher } = speakers.get(id) ?? {};
    const part = parts[index];
    return part === undefined ? null : (publisher?.says(part, index) ?? null);
  };
}

/** A network may answer by other verbs than it posts by, or not post at all. */
function replySpeaker(message: MessageRow, adapter: NetworkAdapter, profile: ProfileFacts): Speaker {
  const { part } = replyPostOf(message, adapter, profile);
  return { parts: [part], publisher: replyPublisherOf(message, adapter) ?? publisherOf(adapter) };
}
