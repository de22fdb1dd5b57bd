import { createHandler } from "../../src/http/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { type FacebookAppSetting, facebook } from "../../src/networks/facebook/index.ts";
import type { HookWays } from "../../src/sandbox/inbox-scene.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";

export const facebookApp = { client_id: "2204567890123456", client_secret: "facebook-app-secret" };
/** The URL to which Facebook sends events of the app's Pages. */
export const hookUrl = `${testBaseUrl}/hooks/facebook/${facebookApp.client_id}`;
export const minuteMs = 60_000;
export interface BenchOptions {
  /** False: the account's tokens came from elsewhere, so that it cannot send. @default true */
  hooks?: boolean;
  ways?: Partial<HookWays>;
  humanAgent?: boolean;
  /** @default `facebookApp`, for all accounts */
  app?: FacebookAppSetting;
  /** The lists that are read. @default all */
  lists?: readonly string[] | undefined;
  storage?: Storage;
  clock?: ManualClock;
}

/** Facebook with only some of its lists: a test of days takes a fraction of the time. */
export function readingOnly(adapter: NetworkAdapter, lists: readonly string[]): NetworkAdapter {
  if (adapter.inbox === undefined) return adapter;
  const sources = adapter.inbox.sources.filter(({ name }) => lists.includes(name));
  return { ...adapter, inbox: { ...adapter.inbox, sources } };
}

/** A Page with a post, and Ann, who writes to it. */
export async function openBench({
  hooks = true,
  ways = {},
  humanAgent = false,
  app = facebookApp,
  lists,
  storage,
  clock: given,
}: BenchOptions = {}) {
  const adapter = facebook({ app, scopes: ["publish", "inbox"], humanAgent });
  const service = createTestService({
    networks: [lists === undefined ? adapter : readingOnly(adapter, lists)],
    ...(storage && { storage }),
    ...(given && { clock: given }),
  });
  const { social, sandbox, clock } = service;
  const handler = createHandler(social);
  sandbox.facebook.sendHooksTo(handler);
  sandbox.facebook.changeHooks(ways);
  await clock.run(() => social.start());
  const { access_token, external_id: page } = sandbox.facebook.addPage({ name: "The Fox" });
  const credentials = { access_token, ...(hooks && { client_id: facebookApp.client_id }) };
  const profile = await clock.run(() => social.profiles.connect({ network: "facebook", credentials }));
  await clock.advance(20 * minuteMs);
  const ann = sandbox.facebook.addFan("Ann Lee");
  const post = sandbox.facebook.postAs(page, { message: "Open on Sunday" });
  const conversations = async () => (await social.inbox.conversations.list()).data;
  const texts = async (id = "") =>
    (await social.inbox.conversations.messages(id)).data.map(({ direction, text }) => [direction, text]);
  return {
    ...service,
    handler,
    access_token,
    profile,
    page,
    post,
    ann,
    conversations,
    texts,
    facebook: sandbox.facebook,
  };
}

export type Bench = Awaited<ReturnType<typeof openBench>>;
