import type { Profile } from "../../src/profiles/schema.ts";
import type { AccountModules } from "../../src/service.ts";
import type { Scene } from "../networks/scene.ts";
import type { TestService } from "./service.ts";

type Connected = Pick<TestService, "sandbox" | "clock"> & { social: Pick<AccountModules, "profiles"> };

/** Connects an account that the sandbox makes. */
export async function connectBluesky(
  { social, sandbox, clock }: Connected,
  handle = "alice.sandbox.example",
): Promise<Profile> {
  const account = sandbox.bluesky.addAccount({ handle });
  return clock.run(() =>
    social.profiles.connect({
      network: "bluesky",
      credentials: { identifier: account.handle, app_password: account.password },
    }),
  );
}

export async function connectMastodon({ social, sandbox, clock }: Connected, username = "alice"): Promise<Profile> {
  const { instance, access_token } = sandbox.mastodon.addAccount({ username });
  return clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
}

export async function connectDiscord({ social, sandbox, clock }: Connected): Promise<Profile> {
  const credentials = { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel() };
  return clock.run(() => social.profiles.connect({ network: "discord", credentials }));
}

export async function connectWebhook({ social, sandbox, clock }: Connected): Promise<Profile> {
  const webhook_url = sandbox.discord.addWebhook({ channel: sandbox.discord.addChannel() });
  return clock.run(() => social.profiles.connect({ network: "discord", credentials: { webhook_url } }));
}

/** An account of the network's first kind. */
export async function connectFirst(
  { social, sandbox, clock }: Connected,
  { accounts: [kind] }: Scene,
): Promise<Profile> {
  kind.prepare?.(sandbox);
  return clock.run(() => social.profiles.connect(kind.connect(sandbox, "alice")));
}

/** One profile on each network, in the order bluesky, mastodon, discord. */
export async function connectAll(service: Connected): Promise<[Profile, Profile, Profile]> {
  return [await connectBluesky(service), await connectMastodon(service), await connectDiscord(service)];
}
