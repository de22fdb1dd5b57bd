import type { Operation, Storage } from "../../src/storage/storage.ts";
import type { Json } from "../../src/wire/json.ts";

/** Names under which rows hold moments and pauses in milliseconds. */
const timeNames = /(?:^|_)(?:at|until|since|end|by|ms)$|_looks$/;

/** A store that notes every time it is to write that is no whole number of milliseconds, with its place. */
export function watchTimes(storage: Storage): { storage: Storage; found: readonly string[] } {
  const found: string[] = [];
  return {
    found,
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      write(operations) {
        found.push(...operations.flatMap(fractionsIn));
        return storage.write(operations);
      },
    },
  };
}

function fractionsIn(operation: Operation): string[] {
  if (operation.kind === "insert") return fractionsOf(operation.row, operation.collection, false);
  return operation.kind === "update" ? fractionsOf(operation.change, operation.collection, false) : [];
}

function fractionsOf(value: Json, place: string, isTime: boolean): string[] {
  if (typeof value === "number") return isTime && !Number.isSafeInteger(value) ? [`${place}: ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    fractionsOf(inner, `${place}.${name}`, Array.isArray(value) ? isTime : timeNames.test(name)),
  );
}
