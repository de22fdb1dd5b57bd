import { randomIds } from "../../../src/ports/ids.ts";
import { createVault } from "../../../src/ports/vault.ts";
import { placeOfSecret } from "../../../src/profiles/credentials.ts";
import type { ProfileRow } from "../../../src/profiles/rows.ts";
import type { Profile } from "../../../src/profiles/schema.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../../src/storage/memory.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { fromRow } from "../../../src/storage/typed.ts";
import { type ManualClock, manualClock } from "../../../src/testing/clock.ts";
import { watchStore } from "../../prove/simulate-watch.ts";
import { createProcess, type ProcessOptions, type SimulatedProcess } from "../process.ts";
import { testKey } from "../service.ts";
import { rotating } from "./adapter.ts";
import { type RotatingOptions, type RotatingSandbox, rotatingSandbox } from "./sandbox.ts";

/** One store, and the network whose refresh tokens are good for one use. */
export interface RotatingWorld {
  clock: ManualClock;
  network: RotatingSandbox;
  sandbox: Sandbox;
  storage: Storage;
  /** Each change of a profile's status, as an event is to tell of it: `profile.connected of prof_1`. */
  news: readonly string[];
  /** When each request for a renewal was sent, milliseconds: answered or not. */
  asked: number[];
  /** Starts a process on the store. */
  start(options?: Pick<ProcessOptions, "dieAt" | "mortalReads" | "service">): SimulatedProcess;
  row(id: string): Promise<ProfileRow>;
  /** The tokens as they are stored; empty: there are none. */
  tokens(id: string): Promise<{ access: string; refresh: string }>;
  refreshToken(id: string): Promise<string>;
  connect(process: SimulatedProcess, name: string): Promise<Profile>;
}

const vault = createVault([testKey], randomIds);

export function rotatingWorld(options: RotatingOptions = {}): RotatingWorld {
  const clock = manualClock();
  const network = rotatingSandbox({ clock, ...options });
  const plain = createSandbox({ clock, hosts: [network] });
  const asked: number[] = [];
  const http: typeof fetch = (input, init) => {
    if (new URL(input instanceof Request ? input.url : input).pathname === "/token") asked.push(clock.now());
    return plain.http(input, init);
  };
  const sandbox = { ...plain, http };
  const watched = watchStore(memoryStorage({ clock }), () => {});
  const { storage } = watched;

  async function row(id: string): Promise<ProfileRow> {
    const found = await storage.get("profiles", id);
    if (found === null) throw new Error("the profile is gone");
    return fromRow<ProfileRow>(found);
  }

  async function tokens(id: string): Promise<{ access: string; refresh: string }> {
    const profile = await row(id);
    const { secret } = profile.private;
    if (secret === null) return { access: "", refresh: "" };
    const { access, refresh } = vault.open(secret, placeOfSecret(profile));
    return { access: String(access), refresh: String(refresh) };
  }

  return {
    clock,
    network,
    sandbox,
    storage,
    news: watched.profileNews,
    asked,
    start: ({ service, ...options } = {}) =>
      createProcess({ storage, sandbox, clock, ...options, service: { networks: [rotating()], ...service } }),
    row,
    tokens,
    refreshToken: async (id) => (await tokens(id)).refresh,
    connect: ({ social }, name) => social.profiles.connect({ network: "rotating", credentials: { name } }),
  };
}
