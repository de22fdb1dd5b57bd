import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { type Accounts, accountEntity, applicationEntity, credentialAccount, type SandboxAccount } from "./accounts.ts";
import type { MediaStore } from "./media.ts";
import { notFound } from "./refusal.ts";
import type { Statuses } from "./statuses.ts";

interface Operation {
  /** The required scope; null: none. */
  scope: string | null;
  run(call: Call): SandboxAnswer | Promise<SandboxAnswer>;
}

interface Call {
  request: SandboxRequest;
  account: SandboxAccount;
  scopes: readonly string[];
  /** The id in the path. */
  id: string;
}

/** Operations by method and path. */
export type Operations = Readonly<Record<string, Operation>>;

export const verification = "GET /api/v1/accounts/verify_credentials";

export function accountOperations(accounts: Accounts, statuses: Statuses): Operations {
  /** https://docs.joinmastodon.org/methods/accounts/#lookup (2026-07) */
  function lookUp(viewer: SandboxAccount, acct: string): SandboxAnswer {
    const [username, host = viewer.instance.host] = acct.toLowerCase().split("@");
    const found = accounts.all().find((each) => each.username === username && each.instance.host === host);
    if (found === undefined) throw notFound();
    return showAccount(viewer, found.id);
  }

  /** The account as the viewer's instance knows it. */
  function showAccount({ instance }: SandboxAccount, id: string): SandboxAnswer {
    const account = accounts.all().find((each) => each.id === id && each.instance === instance);
    if (account === undefined || account.status === "suspended") throw notFound();
    return ok(accountEntity(account, statuses.count(account)));
  }

  return {
    [verification]: {
      scope: "read:accounts",
      run: ({ account }) => ok(credentialAccount(account, statuses.count(account))),
    },
    "GET /api/v1/apps/verify_credentials": {
      scope: null,
      run: ({ scopes }) => ok(applicationEntity(scopes)),
    },
    "GET /api/v1/accounts/lookup": {
      scope: "read:accounts",
      run: ({ account, request }) => lookUp(account, request.url.searchParams.get("acct") ?? ""),
    },
    "GET /api/v1/accounts/:id": { scope: "read:accounts", run: ({ account, id }) => showAccount(account, id) },
  };
}

export function mediaOperations(media: MediaStore): Operations {
  return {
    "POST /api/v2/media": {
      scope: "write:media",
      run: ({ account, request }) => media.upload(account, request, "v2"),
    },
    "POST /api/v1/media": {
      scope: "write:media",
      run: ({ account, request }) => media.upload(account, request, "v1"),
    },
    "GET /api/v1/media/:id": { scope: "write:media", run: ({ account, id }) => media.show(account, id) },
  };
}

export function statusOperations(statuses: Statuses): Operations {
  return {
    "POST /api/v1/statuses": {
      scope: "write:statuses",
      run: ({ account, request }) => statuses.create(account, request),
    },
    "GET /api/v1/statuses": {
      scope: "read:statuses",
      run: ({ account, request }) => statuses.showAll(account, request.url.searchParams),
    },
    "GET /api/v1/statuses/:id": { scope: "read:statuses", run: ({ account, id }) => statuses.show(account, id) },
    "GET /api/v1/statuses/:id/source": {
      scope: "read:statuses",
      run: ({ account, id }) => statuses.source(account, id),
    },
    "GET /api/v1/statuses/:id/context": {
      scope: "read:statuses",
      run: ({ account, id }) => statuses.context(account, id),
    },
    "GET /api/v1/notifications": {
      scope: "read:notifications",
      run: ({ account, request }) => statuses.notifications(account, request.url.searchParams),
    },
    "GET /api/v1/accounts/:id/statuses": {
      scope: "read:statuses",
      run: ({ account, id, request }) => statuses.list(account, id, request.url.searchParams),
    },
    "GET /api/v1/timelines/home": {
      scope: "read:statuses",
      run: ({ account, request }) => statuses.home(account, request.url.searchParams),
    },
  };
}
