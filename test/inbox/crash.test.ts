import { expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { testBaseUrl } from "../support/service.ts";
import { isWhole, shareNumber } from "../support/share.ts";

const app = { client_id: "2204567890123456", client_secret: "facebook-app-secret" };

interface World {
  clock: ManualClock;
  storage: Storage;
  sandbox: Sandbox;
  page: string;
  post: string;
  ann: string;
}

function startProcess({ clock, storage, sandbox }: Omit<World, "page" | "post" | "ann">, dieAt?: number) {
  const networks = [facebook({ app, scopes: ["publish", "inbox"] })];
  const service = { networks, baseUrl: testBaseUrl };
  return createProcess({ clock, storage, sandbox, service, ...(dieAt === undefined ? {} : { dieAt }) });
}

/** Delivers to the living process. A dead process breaks the connection. */
function listen({ sandbox }: Pick<World, "sandbox">, processes: readonly SimulatedProcess[]): void {
  sandbox.facebook.sendHooksTo((request) => {
    const living = processes.find((process) => !process.isDead());
    if (living === undefined) return Promise.reject(new TypeError("fetch failed"));
    const broken = living.died.then(() => Promise.reject(new TypeError("the connection was closed")));
    return Promise.race([createHandler(living.social)(request), broken]);
  });
}

/** A connected and subscribed Page with an empty inbox. */
async function openWorld(): Promise<World> {
  const clock = manualClock();
  const given = { clock, storage: memoryStorage({ clock }), sandbox: createSandbox({ clock }) };
  const first = startProcess(given);
  listen(given, [first]);
  const { access_token, external_id: page } = given.sandbox.facebook.addPage({ name: "The Fox" });
  await clock.run(() => first.social.start());
  const credentials = { access_token, client_id: app.client_id };
  await clock.run(() => first.social.profiles.connect({ network: "facebook", credentials }));
  await clock.advance(10_000);
  await clock.run(() => first.social.stop());
  const ann = given.sandbox.facebook.addFan("Ann Lee");
  return { ...given, page, post: given.sandbox.facebook.postAs(page, { message: "Open on Sunday" }), ann };
}

/** Ann writes, comments and edits, and gets a reply; one process dies on the way, and another continues. */
async function play(dieAt?: number) {
  const world = await openWorld();
  const { clock, sandbox, page, post, ann } = world;
  const processes = [startProcess(world, dieAt), startProcess(world)] as const;
  listen(world, processes);
  await clock.run(() => Promise.race([processes[0].social.start(), processes[0].died]));
  sandbox.facebook.messageAs(ann, page, "Hello?");
  const comment = sandbox.facebook.commentAs(ann, post, "Untill when?");
  await clock.advance(1_000);
  sandbox.facebook.editComment(comment, "Until when?");
  await clock.advance(1_000);
  const answer = async ({ social }: SimulatedProcess): Promise<void> => {
    const [dm] = (await social.inbox.conversations.list({ kind: ["dm"] })).data;
    if (dm !== undefined)
      await social.inbox.conversations.reply(dm.id, { text: "We do.", idempotency_key: "answer-0001" }).catch(() => {});
  };
  await clock.run(() => Promise.race([answer(processes[0]), processes[0].died]));
  await clock.run(() => processes[1].social.start());
  // Long enough for failed deliveries to be repeated.
  await clock.advance(3 * 3_600_000);
  await clock.run(() => answer(processes[1]));
  await clock.advance(3_600_000);
  const { conversations } = processes[1].social.inbox;
  const found = (await conversations.list()).data;
  const shown = await Promise.all(
    found.map(async ({ id, kind, unread_count }) => {
      const { data } = await conversations.messages(id);
      return [kind, unread_count, ...data.map(({ text }) => text)].join(" | ");
    }),
  );
  const events = (await world.storage.find("hook_events", { where: { state: { in: ["new", "aside"] } } })).rows;
  const sent = sandbox.facebook.messages().filter(({ text }) => text === "We do.").length;
  return { shown: shown.sort(), sent, left: events.length, moments: processes[0].moments() };
}

const whole = await play();

it("a message is read, and answered once, without a death", () => {
  expect(whole).toMatchObject({ shown: ["comment | 1 | Until when?", "dm | 1 | We do. | Hello?"], sent: 1, left: 0 });
});

const step = isWhole ? 1 : 30;
const first = shareNumber % step;
const moments = Array.from({ length: Math.ceil((whole.moments - first) / step) }, (_, index) => first + index * step);

it.each(moments)("a message is read, and answered once, whenever the process dies: moment %i", async (moment) => {
  const { shown, sent, left } = await play(moment);
  expect({ shown, sent, left }).toEqual({ shown: whole.shown, sent: whole.sent, left: 0 });
});
