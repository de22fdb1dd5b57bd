import { parseInput } from "../wire/parse.ts";
import { type FinishedConnection, finishConnection } from "./finish.ts";
import type { ConnectionPorts } from "./ports.ts";
import { assertCode, choicesOf, isExpired, readOwn, toConnection } from "./rows.ts";
import {
  type Connection,
  type FinishConnection,
  type GetConnection,
  getConnectionSchema,
  type StartConnection,
  type StartedConnection,
} from "./schema.ts";
import { startConnection } from "./start.ts";

/** Browser sign-ins of one account, on the networks' own pages. */
export interface Connections {
  /**
   * Starts a sign-in: redirect the user's browser to `authorization_url`. It returns to `redirect_url` with
   * `connection_id` and `code`, or with `error`, within ten minutes.
   *
   * @throws SocialError `invalid_request` naming the wrong field, `not_found` for another account's profile,
   * `unsupported` if the network has no browser sign-in or the service no `baseUrl`, `publish_failed` if the network
   * cannot be reached now
   */
  start(body: StartConnection): Promise<StartedConnection>;
  /**
   * The state of a sign-in, and with `code` the accounts to choose from.
   *
   * @throws SocialError `not_found`, also for another account's; `forbidden` for a code of another sign-in
   */
  get(id: string, query?: GetConnection): Promise<Connection>;
  /**
   * Connects the chosen accounts. Only the account that started a sign-in can finish it, and only with the code that
   * the sign-in's browser received. A second call returns the profiles that the first has connected.
   *
   * @throws SocialError `not_found`, `forbidden` for a wrong code, `conflict` for a sign-in that has ended or is not
   * that far, `invalid_request` naming the wrong choice, `publish_failed` if the network cannot be reached now
   */
  finish(id: string, body: FinishConnection): Promise<FinishedConnection>;
}

export function createConnections(ports: ConnectionPorts, accountId: string): Connections {
  return {
    start: (body) => startConnection(ports, accountId, body),
    async get(id, query = {}) {
      const { code } = parseInput(getConnectionSchema, query);
      const row = await readOwn(ports.storage, accountId, id);
      const now = await ports.storage.now();
      if (code === undefined) return toConnection(row, now, null);
      assertCode(row, code);
      const isOpen = row.status === "authorized" && !isExpired(row, now);
      return toConnection(row, now, isOpen ? choicesOf(ports.vault, row) : null);
    },
    finish: (id, body) => finishConnection(ports, accountId, { id, body }),
  };
}
