import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createGoogleLogin } from "../parts/google-login.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { lacksScope, refusal, unauthorized } from "./refusal.ts";
import type { Account, Channel, State } from "./state.ts";

/** An app that is registered from the start. */
export const sandboxApp: LoginApp = {
  client_id: "sandbox.apps.googleusercontent.com",
  client_secret: "GOCSPX-sandbox-secret",
  redirect_uris: ["https://app.example.com/connect/youtube/callback"],
};

const base = "https://www.googleapis.com/auth/youtube";
export const everyScope = [base, `${base}.force-ssl`, `${base}.readonly`, `${base}.upload`];

/** Each of these scopes suffices. */
const scopesFor = {
  read: [base, `${base}.force-ssl`, `${base}.readonly`],
  upload: [base, `${base}.force-ssl`, `${base}.upload`],
  edit: [base, `${base}.force-ssl`],
  comment: [`${base}.force-ssl`],
} as const;

type Right = keyof typeof scopesFor;

export type Logins = ReturnType<typeof createLogins>;

export function createLogins({ accounts }: State, ports: SandboxPorts) {
  const google = createGoogleLogin(
    {
      app: sandboxApp,
      scopes: everyScope,
      accounts,
      person: ({ email, channel }) => ({ account: email, name: channel?.title ?? email }),
      refused: (what) => (what === "token" ? unauthorized() : lacksScope()),
    },
    ports,
  );

  /** The account of the request, which may have no channel. @throws Refusal */
  function accountFor(request: SandboxRequest, right: Right): Account {
    const { account, scopes } = google.holderOf(request);
    if (!scopesFor[right].some((scope) => scopes.includes(scope))) throw lacksScope();
    return account;
  }

  return {
    ...google,
    accountFor,

    /** The channel of the request. @throws Refusal */
    channelFor(request: SandboxRequest, right: Right): Channel {
      const { channel } = accountFor(request, right);
      if (channel === null) throw refusal(401, "youtubeSignupRequired", "Unauthorized", { domain: "youtube.header" });
      if (channel.isSuspended)
        throw refusal(403, "authenticatedUserAccountSuspended", "Suspended.", { domain: "youtube.common" });
      return channel;
    },
  };
}
