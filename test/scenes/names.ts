import type { Operation, Row } from "../../src/storage/storage.ts";

/**
 * Names for rows that are made side by side, where it is chance who comes
 * first and has the smaller id: by what they are about.
 */
export interface Names {
  /** Before the rows are spoken of. */
  learn(operations: readonly Operation[]): void;
  /** The text with names in place of ids. */
  applied(text: string): string;
}

const ids = /\b(?:int|pub|dlv)_\d{10}_\d+/g;

export function createNames(): Names {
  const names = new Map<string, string>();
  const taken = new Set<string>();

  function add(id: string, wanted: string): void {
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted} again ${number}`;
    taken.add(name);
    names.set(id, name);
  }

  return {
    learn(operations) {
      for (const operation of operations) {
        if (operation.kind !== "insert" || names.has(operation.row.id)) continue;
        const name = nameOf(operation.collection, operation.row);
        if (name !== null) add(operation.row.id, name);
      }
    },
    applied: (text) => text.replace(ids, (id) => names.get(id) ?? id),
  };
}

function nameOf(collection: Operation["collection"], row: Row): string | null {
  switch (collection) {
    case "intents":
      return `int(${row.subject_id} ${row.part} ${row.number})`;
    case "publications":
      return `pub(${row.subject_id} ${row.network_post_id})`;
    case "deliveries":
      return `dlv(${row.webhook_id} ${row.event} ${row.created_at})`;
    default:
      return null;
  }
}
