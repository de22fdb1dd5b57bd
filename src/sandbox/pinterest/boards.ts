import { ok } from "../exchange.ts";
import type { Logins } from "./logins.ts";
import { type Board, boardOf, call, pageOfItems, type State } from "./state.ts";

/** A board to create. */
export interface NewBoard {
  /** The ids of accounts that may pin to it. */
  members: readonly string[];
  /** Its name. */
  name: string;
  /** Who can see it. @default "PUBLIC" */
  privacy?: Board["privacy"];
  /** True: it takes only Pins of ads. @default false */
  is_ads_only?: boolean;
  /** The sections' names. @default none */
  sections?: readonly string[];
}

export function createBoards(state: State, logins: Logins) {
  return {
    routes: [
      call("GET /boards", (request) => {
        const account = logins.accountFor(request, "boards:read");
        const own = state.boards.filter(({ members }) => members.has(account.id));
        return ok(pageOfItems(own.map(entity), request.url));
      }),
      call("GET /boards/:id", (request, id) =>
        ok(entity(boardOf(state, logins.accountFor(request, "boards:read"), id))),
      ),
      call("GET /boards/:id/sections", (request, id) => {
        const { sections } = boardOf(state, logins.accountFor(request, "boards:read"), id);
        return ok(pageOfItems(sections, request.url));
      }),
    ],
    switches: {
      addBoard({ members, name, privacy = "PUBLIC", is_ads_only = false, sections: given = [] }: NewBoard) {
        const sections = given.map((section) => ({ id: state.newId(), name: section }));
        const id = state.newId();
        state.boards.push({ id, name, privacy, is_ads_only, members: new Set(members), sections });
        return { board_id: id, section_ids: sections.map((section) => section.id) };
      },
    },
  };
}

function entity({ id, name, privacy, is_ads_only }: Board): object {
  return { id, name, privacy, is_ads_only };
}
