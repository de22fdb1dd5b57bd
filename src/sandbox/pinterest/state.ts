import type { SandboxPorts } from "../network.ts";
import { refusal } from "./refusal.ts";

export interface PinterestAccount {
  /** Digits. */
  id: string;
  username: string;
  business_name: string | null;
  /** With Trial access no Pins can be made. */
  mayPin: boolean;
}

export interface Board {
  id: string;
  name: string;
  privacy: "PUBLIC" | "PROTECTED" | "SECRET";
  is_ads_only: boolean;
  /** Accounts that may pin there. */
  members: Set<string>;
  sections: { id: string; name: string }[];
}

/** A group board, of which every account of the simulation is a member. */
export const groupBoardId = "1009000000000000017";

export interface State {
  accounts: Map<string, PinterestAccount>;
  boards: Map<string, Board>;
  newId(): string;
}

export function createState(_: SandboxPorts): State {
  let count = 0n;
  const group: Board = {
    ...{ id: groupBoardId, name: "Everybody's", privacy: "PUBLIC", is_ads_only: false },
    ...{ members: new Set(), sections: [] },
  };
  return {
    accounts: new Map(),
    boards: new Map([[group.id, group]]),
    // More than a JavaScript number holds.
    newId() {
      count += 1n;
      return (1_010_000_000_000_000_000n + count * 1_013n).toString();
    },
  };
}

/** @throws Refusal when there is none that the account may see */
export function boardOf({ boards }: State, account: PinterestAccount, id: string): Board {
  const board = boards.get(id);
  if (board === undefined) throw refusal(404, 40, "Board not found.");
  // So the real one: the token is fine.
  if (!board.members.has(account.id)) throw refusal(401, 7, "Not authorized to access board or Pin.");
  return board;
}

/** One page of a list. https://github.com/pinterest/api-description, `Paginated` (2025-12) */
export function pageOfItems<Item>(items: readonly Item[], url: URL): { items: Item[]; bookmark: string | null } {
  const size = Number(url.searchParams.get("page_size") ?? 25);
  if (!Number.isInteger(size) || size < 1 || size > 250) throw refusal(400, 1, "Invalid parameters: page_size");
  const from = Number(atob(url.searchParams.get("bookmark") ?? btoa("0")));
  const isLast = from + size >= items.length;
  return { items: items.slice(from, from + size), bookmark: isLast ? null : btoa(String(from + size)) };
}
