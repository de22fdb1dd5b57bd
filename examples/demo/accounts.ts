import type { SocialService } from "postrider";
import type { Sandbox } from "postrider/sandbox";
import { say } from "./screen.ts";

/** Makes an account on each simulated network and connects it. Returns the profiles' ids. */
export async function connectSandboxAccounts({ profiles }: SocialService, sandbox: Sandbox): Promise<string[]> {
  const alice = sandbox.bluesky.addAccount({ handle: "observatory.sandbox.example" });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "observatory" });
  const bot_token = sandbox.discord.addBot({ username: "observatory" });
  const channel_id = sandbox.discord.addChannel({ name: "announcements" });

  const connected = [
    await profiles.connect({
      network: "bluesky",
      credentials: { identifier: alice.handle, app_password: alice.password },
    }),
    await profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    await profiles.connect({ network: "discord", credentials: { bot_token, channel_id } }),
  ];
  say(`Connected: ${connected.map(({ network, name, handle }) => `${handle ?? name} on ${network}`).join(", ")}.`);
  return connected.map(({ id }) => id);
}
