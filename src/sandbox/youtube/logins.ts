import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createGoogleLogin, type GoogleLogin } from "../parts/google-login.ts";
import { lacksScope, refusal, unauthorized } from "./refusal.ts";
import type { Account, Channel, State } from "./state.ts";

const base = "https://www.googleapis.com/auth/youtube";
export const everyScope = [base, `${base}.force-ssl`, `${base}.readonly`, `${base}.upload`];

/** Each of these is enough. */
export const scopesFor = {
  read: [base, `${base}.force-ssl`, `${base}.readonly`],
  upload: [base, `${base}.force-ssl`, `${base}.upload`],
  edit: [base, `${base}.force-ssl`],
  comment: [`${base}.force-ssl`],
} as const;

export type Right = keyof typeof scopesFor;

export interface Logins extends Omit<GoogleLogin, "grantOf" | "owns"> {
  /** The channel that a request is made for. @throws Refusal */
  channelFor(request: SandboxRequest, right: Right): Channel;
  /** The account behind it, which may have no channel. @throws Refusal */
  accountFor(request: SandboxRequest, right: Right): Account;
}

export function createLogins(state: State, ports: SandboxPorts): Logins {
  const people = () => state.accounts.map(({ email, channel }) => ({ account: email, name: channel?.title ?? email }));
  const google = createGoogleLogin({ apps: state.apps, scopes: everyScope, people }, ports);

  function accountFor(request: SandboxRequest, right: Right): Account {
    const grant = google.grantOf(request);
    if (grant === null) throw unauthorized();
    if (!scopesFor[right].some((scope) => grant.scopes.includes(scope))) throw lacksScope();
    const account = state.accounts.find(({ email }) => email === grant.account);
    if (account === undefined) throw unauthorized();
    return account;
  }

  return {
    ...google,
    accountFor,

    channelFor(request, right) {
      const { channel } = accountFor(request, right);
      if (channel === null) throw refusal(401, "youtubeSignupRequired", "Unauthorized", { domain: "youtube.header" });
      if (channel.isSuspended)
        throw refusal(403, "authenticatedUserAccountSuspended", "Suspended.", { domain: "youtube.common" });
      return channel;
    },
  };
}
