import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Staged } from "../networks/contract/commit.ts";
import type { Part } from "../networks/contract/plan.ts";
import type { StageContext } from "../networks/contract/request.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import { toChange } from "../storage/typed.ts";
import type { Json } from "../wire/json.ts";
import { keepWhile, type Lease, onlyWhileHeld } from "../work/lease.ts";
import { sha256 } from "./intent.ts";
import type { PublishingPorts } from "./ports.ts";
import type { TargetError, TargetRow, TargetState } from "./rows.ts";
import type { CommitSlot } from "./slot.ts";

/** One target in the hands of its profile's holder. */
export interface TargetRun {
  ports: PublishingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  slot: CommitSlot;
  /** As it now is. */
  target(): TargetRow;
  /** Waits that started before this were counted by a clock that has jumped since. */
  waitsSince: number;
  /** Changes it here; stored with the next `save` or when it settles. */
  remember(state: Partial<TargetState>): void;
  /** Stores it, changed, in order; only while the profile is held. */
  save(change: TargetChange): Promise<void>;
}

export interface TargetChange {
  state?: Partial<TargetState>;
  due_at?: number | null;
  error?: TargetError | null;
}

export function createTargetRun(row: TargetRow, options: Omit<TargetRun, "target" | "remember" | "save">): TargetRun {
  const { ports, lease } = options;
  let target = row;
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function write(): Promise<void> {
    const { due_at, error, post_ids, private: state } = target;
    await onlyWhileHeld("profiles", () =>
      ports.storage.write([
        lease.check(),
        {
          kind: "update",
          collection: "targets",
          id: target.id,
          change: toChange({ due_at, error, post_ids, private: state }),
          // It may have settled without our hearing of it, or be retried since: then this is out of date.
          where: { status: target.status },
        },
      ]),
    );
  }

  function remember(state: Partial<TargetState>): void {
    const next = { ...target.private, ...state };
    target = { ...target, private: next, post_ids: next.live.map(({ id }) => id) };
  }

  return {
    ...options,
    target: () => target,
    remember,
    save({ state = {}, ...change }) {
      target = { ...target, ...change };
      remember(state);
      // Uploads end side by side; a later write must not be overtaken by an earlier one.
      const saved = lastWrite.then(write);
      // Who asked for a write hears of its failure; the next one is not to fail with it.
      lastWrite = saved.catch(() => undefined);
      return saved;
    },
  };
}

/** What the adapter's `stage` sees: a context whose values outlive a crash. */
export function createStageContext(run: TargetRun, index: number): StageContext {
  const context = run.credentials.context;
  return {
    profile: context.profile,
    get secret() {
      return context.secret;
    },
    now: () => context.now(),
    request: (request) => context.request(request),
    index,
    uniqueName: sha256(`${run.target().id}/${index}`).slice(0, 16),
    readMedia: (url, options) => keepWhile(run.lease, run.ports.clock, () => run.ports.readMedia(url, options)),
    async once<Value extends Json>(name: string, make: () => Promise<Value>, options: { keepSeconds: number }) {
      const kept = run.target().private.kept[index]?.[name];
      if (kept !== undefined && kept.expires_at > run.lease.now()) return kept.value as Value;
      const value = await make();
      const expires_at = run.lease.now() + options.keepSeconds * 1000;
      const all = run.target().private.kept;
      await run.save({ state: { kept: { ...all, [index]: { ...all[index], [name]: { value, expires_at } } } } });
      return value;
    },
  };
}

export function stagedValues(run: TargetRun, index: number): Staged {
  const kept = run.target().private.kept[index] ?? {};
  return Object.fromEntries(Object.entries(kept).map(([name, { value }]) => [name, value]));
}

export function partsOf(run: TargetRun): Part[] {
  const { parts } = run.target().private;
  if (parts === null) throw new Error(`Target ${run.target().id} was started without parts.`);
  return parts;
}
