import type { CrashNetwork } from "./crash.ts";

/** The three networks, and discord in both of its ways. */
export const crashNetworks: readonly CrashNetwork[] = [
  {
    name: "bluesky",
    threads: true,
    connect(sandbox) {
      const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
      return { network: "bluesky", credentials: { identifier: handle, app_password: password } };
    },
    posts: (sandbox) => sandbox.bluesky.posts(),
  },
];
