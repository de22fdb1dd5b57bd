import type { Clock } from "../../ports/clock.ts";
import { ok, type SandboxAnswer } from "../exchange.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { Accounts } from "./accounts.ts";

/** Sign-ins of a server that stores the user with the app, and ignores the code: snac2 2.75 (2026-11). */
export interface LoginsByApp {
  /** Records that a user has signed in with the app. */
  note(clientId: string, account: string): void;
  token(form: FormData | undefined): SandboxAnswer;
  revoke(form: FormData | undefined): SandboxAnswer;
}

export function createLoginsByApp(server: {
  apps: readonly LoginApp[];
  accounts: Accounts;
  scopes: readonly string[];
  newText: (kind: string) => string;
  clock: Pick<Clock, "now">;
}): LoginsByApp {
  const { apps, accounts, scopes, newText, clock } = server;
  const lastOf = new Map<string, string>();
  /** The app of each token. */
  const tokens = new Map<string, string>();

  function appIn(form: FormData | undefined): LoginApp | undefined {
    const isTheirs = ({ client_id, client_secret }: LoginApp): boolean =>
      client_id === form?.get("client_id") && client_secret === form.get("client_secret");
    return apps.find(isTheirs);
  }

  return {
    note: (clientId, account) => void lastOf.set(clientId, account),

    token(form) {
      const app = appIn(form);
      if (app === undefined) return { status: 401, headers: page, text: "" };
      const account = accounts.all().find(({ id }) => id === lastOf.get(app.client_id));
      const token = newText("access");
      tokens.set(token, app.client_id);
      // If no user has signed in yet, it still returns a token, which belongs to no account.
      if (account !== undefined) accounts.allow(token, { account, scopes });
      const created_at = Math.floor(clock.now() / 1000);
      return ok({ access_token: token, token_type: "Bearer", created_at });
    },

    revoke(form) {
      const token = String(form?.get("token") ?? "");
      const isTheirs = appIn(form) !== undefined && tokens.delete(token);
      if (!isTheirs) return { status: 403, headers: page, text: "<h1>403 Forbidden</h1>" };
      accounts.revoke(token);
      return ok({});
    },
  };
}

const page = { "content-type": "text/html; charset=utf-8" };
