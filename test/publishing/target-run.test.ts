import { expect, it } from "vitest";
import type { PublishingPorts } from "../../src/publishing/ports.ts";
import { emptyTargetState, type TargetRow } from "../../src/publishing/rows.ts";
import { createTargetRun } from "../../src/publishing/target-run.ts";
import type { SendingContext } from "../../src/sending/subject-run.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { type Storage, StorageConflict } from "../../src/storage/storage.ts";
import { toChange, toRow } from "../../src/storage/typed.ts";

const state = emptyTargetState();
const row = {
  id: "tgt_1",
  status: "publishing",
  post_ids: [],
  due_at: 1,
  error: null,
  private: state,
} as unknown as TargetRow;
const check = () => ({ kind: "check", collection: "profiles", id: "prof_1", where: { epoch: 1 } }) as const;

function handsOf(storage: Storage) {
  return { ports: { storage }, lease: { check } } as unknown as SendingContext & { ports: PublishingPorts };
}

it("a target run saves again after a failed save: a short outage of the store ends nothing", async () => {
  const inner = memoryStorage();
  await inner.write([
    { kind: "insert", collection: "targets", row: toRow(row) },
    { kind: "insert", collection: "profiles", row: { id: "prof_1", epoch: 1 } },
  ]);
  let away = true;
  const storage: Storage = {
    ...inner,
    async write(operations) {
      if (away) throw new Error("the store cannot be reached");
      return inner.write(operations);
    },
  };
  const run = createTargetRun(row, handsOf(storage));
  await expect(run.save({ due_at: 2 })).rejects.toThrow("cannot be reached");
  away = false;
  await run.save({ due_at: 3 });
  expect(await inner.get("targets", "tgt_1")).toMatchObject({ due_at: 3 });
});

it("a target run leaves a target unchanged that has settled without its knowledge", async () => {
  const storage = memoryStorage();
  const settled = { status: "failed", due_at: null, private: { ...state, may_be_live: true } };
  await storage.write([
    { kind: "insert", collection: "targets", row: toRow(row) },
    { kind: "insert", collection: "profiles", row: { id: "prof_1", epoch: 1 } },
    { kind: "update", collection: "targets", id: "tgt_1", change: toChange(settled), where: {} },
  ]);
  const run = createTargetRun(row, handsOf(storage));
  await expect(run.save({ due_at: 2 })).rejects.toThrow(StorageConflict);
  expect(await storage.get("targets", "tgt_1")).toMatchObject(settled);
});
