const { announce } = require("./announce.js");

let social;
let sandbox;
let clock;

// Before Node 24.9, Jest's require cannot load ES modules. Its import() can, with --experimental-vm-modules.
beforeAll(async () => {
  const { createSocialService } = await import("postrider");
  const { mastodon } = await import("postrider/networks/mastodon");
  const { createSandbox } = await import("postrider/sandbox");
  const { memoryStorage } = await import("postrider/storage/memory");
  const { manualClock } = await import("postrider/testing");
  clock = manualClock();
  sandbox = createSandbox({ clock });
  social = createSocialService({
    storage: memoryStorage({ clock }),
    networks: [mastodon()],
    encryptionKey: Buffer.alloc(32).toString("base64"),
    clock,
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
  });
  const credentials = sandbox.mastodon.addAccount({ username: "alice" });
  const { instance, access_token } = credentials;
  await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
});

const article = { id: 4711, title: "Three rows of blue hills", url: "https://example.com/hills" };

test("announces an article once although the first response is lost", async () => {
  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
  const first = await clock.run(() => announce(social, article));
  const second = await clock.run(() => announce(social, article));
  await clock.advance(10 * 60_000);
  await clock.run(() => social.runDue());
  expect(second.id).toBe(first.id);
  expect((await social.posts.get(first.id)).status).toBe("published");
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

test("reports a wrong option", async () => {
  const { createSocialService, SocialError } = await import("postrider");
  expect(() => createSocialService({ storage: "social.db" })).toThrow("storage: Must be a storage");
  expect(() => createSocialService({ storage: "social.db" })).toThrow(SocialError);
});
