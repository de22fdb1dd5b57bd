import { expect, it } from "vitest";
import { retryConflicts } from "../../src/storage/conflict-retry.ts";
import { type Operation, StorageConflict } from "../../src/storage/storage.ts";

const operation: Operation = { kind: "check", collection: "posts", id: "post_1", where: {} };
const conflict = (index = 0): StorageConflict => new StorageConflict(index, operation, "where");

/** Ends with each of these in turn, then with "done". */
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

it("tries again after a conflict, and tells the next attempt which", async () => {
  const { attempt, given } = attemptEndingWith(conflict(1), conflict(2));
  expect(await retryConflicts(attempt, { max: 2 })).toBe("done");
  expect(given).toEqual([null, 1, 2]);
});

it("throws the conflict that is one too many", async () => {
  const { attempt, given } = attemptEndingWith(conflict(1), conflict(2), conflict(3));
  await expect(retryConflicts(attempt, { max: 2 })).rejects.toMatchObject({ index: 3 });
  expect(given).toHaveLength(3);
});

it("throws at once what is no conflict, and a conflict that is none of its own", async () => {
  const fault = attemptEndingWith(new Error("the store is gone"));
  await expect(retryConflicts(fault.attempt, { max: 9 })).rejects.toThrow("the store is gone");
  expect(fault.given).toHaveLength(1);
  const foreign = attemptEndingWith(conflict(1), conflict(7));
  await expect(retryConflicts(foreign.attempt, { max: 9, unless: ({ index }) => index === 7 })).rejects.toThrow(
    StorageConflict,
  );
  expect(foreign.given).toHaveLength(2);
});
