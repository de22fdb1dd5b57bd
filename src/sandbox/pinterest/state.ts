import type { SandboxPorts } from "../network.ts";
import { createIds } from "../parts/ids.ts";
import { pageAt } from "../parts/listing.ts";
import { type Handle, type Route, route } from "../parts/routes.ts";
import { createBasics } from "../parts/simulation.ts";
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

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  const group: Board = {
    id: groupBoardId,
    name: "Everybody's",
    privacy: "PUBLIC",
    is_ads_only: false,
    members: new Set(),
    sections: [],
  };
  return {
    ...createBasics(ports),
    accounts: [] as PinterestAccount[],
    group,
    boards: [group],
    newId: createIds(1_010_000_000_000_000_000n, 1_013n),
  };
}

/** @param operation `GET /boards/:id`: its address, below the version of the API */
export function call(operation: string, handle: Handle): Route {
  return route(operation, operation.replace(" ", " api.pinterest.com/v5"), handle);
}

/** @throws Refusal when there is none that the account may see */
export function boardOf({ boards }: State, account: PinterestAccount, id: string): Board {
  const board = boards.find((each) => each.id === id);
  if (board === undefined) throw refusal(404, 40, "Board not found.");
  // So the real one: the token is fine.
  if (!board.members.has(account.id)) throw refusal(401, 7, "Not authorized to access board or Pin.");
  return board;
}

/** One page of a list. https://github.com/pinterest/api-description, `Paginated` (2025-12) */
export function pageOfItems<Item>(
  all: readonly Item[],
  { searchParams }: URL,
): { items: Item[]; bookmark: string | null } {
  const count = Number(searchParams.get("page_size") ?? 25);
  if (!Number.isInteger(count) || count < 1 || count > 250) throw refusal(400, 1, "Invalid parameters: page_size");
  const from = Number(atob(searchParams.get("bookmark") ?? btoa("0")));
  const { items, next } = pageAt(all, { from, count });
  return { items, bookmark: next === null ? null : btoa(String(next)) };
}
