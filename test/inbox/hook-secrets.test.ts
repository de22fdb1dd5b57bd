import { expect, it } from "vitest";
import { readHookSecrets } from "../../src/inbox/hook-secrets.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { facebookApp } from "./facebook-bench.ts";

const app = { network: "facebook", appId: facebookApp.client_id };

it.each([
  ["is not looked at where all accounts have one app", facebookApp, 0],
  ["says whose secrets may be right where each account has its own", () => facebookApp, 1],
] as const)("what nobody has verified %s", async (_, setting, times) => {
  const hooks = facebook({ app: setting, scopes: ["publish", "inbox"] }).inbox?.hooks;
  if (hooks === undefined) throw new Error("Facebook has hooks.");
  let looks = 0;
  const about = (): string[] => {
    looks += 1;
    return ["1"];
  };
  await readHookSecrets(memoryStorage(), hooks, { ...app, about });
  expect(looks).toBe(times);
});
