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
  /** False: the app has Trial access, which cannot create Pins. */
  mayPin: boolean;
}

export interface Board {
  id: string;
  name: string;
  privacy: "PUBLIC" | "PROTECTED" | "SECRET";
  is_ads_only: boolean;
  /** The accounts that may pin to it. */
  members: Set<string>;
  sections: { id: string; name: string }[];
}

/** A group board, with every account of the simulation as a member. */
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

/** @param operation `GET /boards/:id`: its path, below the API version */
export function call(operation: string, handle: Handle): Route {
  return route(operation, operation.replace(" ", " api.pinterest.com/v5"), handle);
}

/** @throws Refusal if the account can see no such board */
export function boardOf({ boards }: State, account: PinterestAccount, id: string): Board {
  const board = boards.find((each) => each.id === id);
  if (board === undefined) throw refusal(404, 40, "Board not found.");
  // As the real Pinterest responds, although the token is valid.
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
