import type { SocialService } from "postrider";
import type { Sandbox } from "postrider/sandbox";
import { scenes } from "./networks.ts";
import { say } from "./screen.ts";

/** Makes an account on each simulated network and connects it. Returns the profiles' ids. */
export async function connectSandboxAccounts({ profiles }: SocialService, sandbox: Sandbox): Promise<string[]> {
  const connected = [];
  for (const { accounts } of scenes)
    connected.push(await profiles.connect(accounts[0].connect(sandbox, "observatory")));
  say(`Connected: ${connected.map(({ network, name, handle }) => `${handle ?? name} on ${network}`).join(", ")}.`);
  return connected.map(({ id }) => id);
}
