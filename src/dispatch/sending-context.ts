import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import { openCredentials } from "../profiles/credentials.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { type IntentRow, unresolvedStates } from "../sending/intent.ts";
import { createCommitSlots, type Lane } from "../sending/slot.ts";
import type { SentOn } from "../sending/subject-kind.ts";
import type { SendingContext } from "../sending/subject-run.ts";
import { fromRow } from "../storage/typed.ts";
import type { Lease } from "../work/lease.ts";
import type { ClockJumps } from "./clock-jumps.ts";
import type { DispatchPorts } from "./ports.ts";

/** Opens the context that all subjects sent on a profile under one lease share. */
export async function openSendingContext(
  ports: DispatchPorts,
  lease: Lease,
  { profile: row, adapter, jumps }: { profile: ProfileRow; adapter: NetworkAdapter; jumps: ClockJumps },
): Promise<SendingContext> {
  const credentials = openCredentials(row, { adapter, hold: lease, ports });
  const on = { adapter, profile: credentials.context.profile };
  return {
    ports,
    lease,
    adapter,
    credentials,
    slots: createCommitSlots(await findOccupiedSlots(ports, lease, on)),
    waitsSince: jumps.waitsSince(lease.now()),
    textsInFlight: (ids) => readTexts(ports, { adapter, profile: credentials.context.profile }, ids),
  };
}

/** Reads the commit slots that were already occupied when the profile was claimed. */
async function findOccupiedSlots(
  { storage, kinds }: DispatchPorts,
  lease: Lease,
  on: SentOn,
): Promise<ReadonlyMap<Lane, string>> {
  const found = await storage.find("intents", { where: { profile_id: lease.id, state: { in: unresolvedStates } } });
  if (found.rows.length === 0) return new Map();
  const intents = found.rows.map((row) => fromRow<IntentRow>(row));
  const keepers = kinds.map(async (kind) => kind.findOccupiedSlot?.(intents, { ...on, now: lease.now() }) ?? null);
  return new Map((await Promise.all(keepers)).filter((keeper) => keeper !== null));
}

/** Reads the texts of subjects. The returned function gives a part's texts; null: the part is not known. */
async function readTexts(
  { storage, kinds }: DispatchPorts,
  on: SentOn,
  ids: readonly string[],
): Promise<(id: string, part: number) => readonly string[] | null> {
  const read = async ({ collection, textsOf: wordsOf }: DispatchPorts["kinds"][number]) => {
    const { rows } = await storage.find(collection, { where: { id: { in: ids } }, isCounted: false });
    return rows.map((row) => [row.id, wordsOf(row, on)] as const);
  };
  const speakers = new Map((await Promise.all(kinds.map(read))).flat());
  return (id, part) => speakers.get(id)?.(part) ?? null;
}
