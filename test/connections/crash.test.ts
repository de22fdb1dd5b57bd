import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { click, loginNetworks, ownPage, pageOf } from "../support/login.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { testBaseUrl } from "../support/service.ts";

const instance = "mastodon.sandbox.example";

interface World {
  clock: ManualClock;
  storage: Storage;
  sandbox: Sandbox;
  /** How often each code of the network was exchanged. */
  trades: Map<string, number>;
}

function createWorld(): World {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  sandbox.mastodon.addAccount({ username: "alice" });
  const trades = new Map<string, number>();
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const form = request.url.endsWith("/oauth/token") ? new URLSearchParams(await request.clone().text()) : null;
    const code = form?.get("code");
    if (code != null) trades.set(code, (trades.get(code) ?? 0) + 1);
    return sandbox.http(request);
  };
  return { clock, storage: memoryStorage({ clock }), sandbox: { ...sandbox, http }, trades };
}

function startProcess({ clock, storage, sandbox }: World, dieAt?: number): SimulatedProcess {
  const service = { networks: loginNetworks(), baseUrl: testBaseUrl, trustedOrigins: ["https://host.example"] };
  return createProcess({ clock, storage, sandbox, service, ...(dieAt === undefined ? {} : { dieAt }) });
}

/** A customer's whole sign-in; its progress stands in `so_far`, for a browser that comes again. */
async function connect(
  social: SocialService,
  { sandbox }: World,
  so_far: { back?: string; id?: string; code?: string },
) {
  const handler = createHandler(social);
  if (so_far.code === undefined) {
    if (so_far.back === undefined) {
      const started = await social.connections.start({
        network: "mastodon",
        redirect_url: ownPage,
        login: { instance },
      });
      so_far.id = started.connection_id;
      so_far.back = await click(sandbox, started.authorization_url, "Allow as alice");
    }
    const code = pageOf(await handler(new Request(so_far.back))).searchParams.get("code");
    // The callback is valid for one use: after a death on it, the customer begins again.
    if (code === null) return connect(social, { sandbox } as World, Object.assign(so_far, { back: undefined }));
    so_far.code = code;
  }
  return social.connections.finish(so_far.id ?? "", { code: so_far.code });
}

const moments = await (async () => {
  const world = createWorld();
  const process = startProcess(world);
  await world.clock.run(() => connect(process.social, world, {}));
  return process.moments();
})();

describe("a process that dies during a sign-in", () => {
  it.each(Array.from({ length: moments }, (_, moment) => moment))(
    "at moment %i leaves the customer with one profile, and no code is exchanged twice",
    async (dieAt) => {
      const world = createWorld();
      const so_far = {};
      const first = startProcess(world, dieAt);
      await world.clock.run(() => Promise.race([connect(first.social, world, so_far), first.died]));
      const next = startProcess(world);
      await world.clock.run(() => connect(next.social, world, so_far));
      const { rows } = await world.storage.find("profiles", { where: {} });
      expect(rows.map(({ status }) => status)).toEqual(["connected"]);
      expect([...world.trades.values()].every((times) => times === 1)).toBe(true);
    },
  );

  it("is tested at many moments", () => {
    expect(moments).toBeGreaterThan(20);
  });
});
