import { replyPostOf } from "../inbox/reply-post.ts";
import type { MessageRow } from "../inbox/rows.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Part } from "../networks/contract/plan.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import { publisherOf } from "../sending/post-act.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { partsOf } from "./parts.ts";
import type { TargetRow } from "./rows.ts";

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
  const parts = new Map<string, readonly Part[]>([
    ...targets.rows.map((row) => [row.id, partsOf(fromRow<TargetRow>(row), adapter)] as const),
    ...messages.rows.map((row) => [row.id, [replyPostOf(fromRow<MessageRow>(row), adapter, profile).part]] as const),
  ]);
  return (id, index) => {
    const part = parts.get(id)?.[index];
    return part === undefined ? null : publisherOf(adapter).says(part, index);
  };
}
