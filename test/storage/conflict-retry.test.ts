import { expect, it } from "vitest";
import { retryConflicts } from "../../src/storage/conflict-retry.ts";
import { type Operation, StorageConflict } from "../../src/storage/storage.ts";

const operation: Operation = { kind: "check", collection: "posts", id: "post_1", where: {} };
const conflict = (index = 0): StorageConflict => new StorageConflict(index, operation, "where");

/** An attempt that throws each of these in turn, then returns "done". */
function attemptEndingWith(...ends: readonly Error[]) {
  const left = [...ends];
  const given: (number | null)[] = [];
  const attempt = async (last: StorageConflict | null): Promise<string> => {
    given.push(last?.index ?? null);
    const end = left.shift();
    if (end !== undefined) throw end;
    return "done";
  };
  return { attempt, given };
}

it("a retry follows a conflict, and the next attempt gets its index", async () => {
  const { attempt, given } = attemptEndingWith(conflict(1), conflict(2));
  expect(await retryConflicts(attempt, { max: 2 })).toBe("done");
  expect(given).toEqual([null, 1, 2]);
});

it("one conflict too many is rethrown", async () => {
  const { attempt, given } = attemptEndingWith(conflict(1), conflict(2), conflict(3));
  await expect(retryConflicts(attempt, { max: 2 })).rejects.toMatchObject({ index: 3 });
  expect(given).toHaveLength(3);
});

it("another error, or a conflict of another operation, is rethrown immediately", async () => {
  const fault = attemptEndingWith(new Error("the store is gone"));
  await expect(retryConflicts(fault.attempt, { max: 9 })).rejects.toThrow("the store is gone");
  expect(fault.given).toHaveLength(1);
  const foreign = attemptEndingWith(conflict(1), conflict(7));
  await expect(retryConflicts(foreign.attempt, { max: 9, unless: ({ index }) => index === 7 })).rejects.toThrow(
    StorageConflict,
  );
  expect(foreign.given).toHaveLength(2);
});
