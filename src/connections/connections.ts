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

/** Logins of one account in a browser, on the networks' own pages. */
export interface Connections {
  /**
   * Begins a login: send the browser of the account's owner to `authorization_url`. It comes back to `redirect_url`
   * with `connection_id` and `code`, or with `error`, within ten minutes.
   *
   * @throws SocialError `invalid_request` naming the field that is wrong, `not_found` for a profile that is not this
   * account's, `unsupported` where the network has no browser login or the service no `baseUrl`, `publish_failed`
   * when the network cannot be asked now
   */
  start(body: StartConnection): Promise<StartedConnection>;
  /**
   * How far a login is, and with `code` the accounts to choose from.
   *
   * @throws SocialError `not_found`, for another account's, too; `forbidden` for a code that is not the login's
   */
  get(id: string, query?: GetConnection): Promise<Connection>;
  /**
   * Connects the chosen accounts. Only the account that began a login can finish it, and only with the code that the
   * login's own browser was given. A second call returns what the first has connected.
   *
   * @throws SocialError `not_found`, `forbidden` for a wrong code, `conflict` for a login that is over or not that far,
   * `invalid_request` naming the choice that is wrong, `publish_failed` when the network cannot be asked now
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
