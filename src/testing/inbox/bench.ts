import type { Conversation, InboxMessage } from "../../inbox/schema.ts";
import type { NetworkAdapter } from "../../networks/contract/adapter.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Profile } from "../../profiles/schema.ts";
import type { InboxScene } from "../../sandbox/inbox-scene.ts";
import type { SandboxHost } from "../../sandbox/network.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../service.ts";
import { memoryStorage } from "../../storage/memory.ts";
import type { Storage } from "../../storage/storage.ts";
import { type ManualClock, manualClock } from "../clock.ts";

/** The options of `inboxContract`. */
export interface InboxContractOptions {
  /** Creates the tested adapter, with access to its inbox and, if the network has webhooks, the app that signs them. */
  adapter(): NetworkAdapter;
  /** Receives the network's webhooks: `createHandler` of `postrider/http`. Absent: the network sends none. */
  createHandler?(social: SocialService): (request: Request) => Promise<Response>;
  /** Creates a sandbox, and an account on the simulated network that the tested adapter connects. */
  open(clock: Clock): OpenedScene;
}

/** A sandbox with an account. */
export interface OpenedScene {
  /** The simulated networks. */
  sandbox: Sandbox;
  /** The simulated network: `sandbox.mastodon`, or a host that you have written. */
  host: SandboxHost;
  /** The account, and the people who write to it. */
  scene: InboxScene;
}

/** A message, with its conversation. */
export interface Shown {
  conversation: Conversation;
  message: InboxMessage;
}

/** A running service with the account connected, and its network. */
export interface InboxTest extends OpenedScene {
  clock: ManualClock;
  storage: Storage;
  social: SocialService;
  profile: Profile;
  /** The service's log. */
  log: string[];
  /** The operations of the requests that have committed something, in order. */
  commits: string[];
  /** Waits until webhooks have arrived and every list was read. */
  settle(): Promise<void>;
  /** All stored messages whose text contains this, newest first. */
  shown(text: string): Promise<Shown[]>;
  /** Every conversation with its messages, newest first. */
  all(): Promise<Shown[]>;
}

const baseUrl = "https://app.example.com";
const encryptionKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
/** Longer than any network delays webhooks that are sent immediately, milliseconds. */
const hooksMs = 60_000;
/** Lists that are read less often are not waited for, milliseconds. */
const longestMs = 3 * 3_600_000;

/** @param options.wrap changes the adapter before the service gets it */
export async function openInbox(
  { adapter: create, open, createHandler }: InboxContractOptions,
  { wrap = (adapter) => adapter }: { wrap?: (adapter: NetworkAdapter) => NetworkAdapter } = {},
): Promise<InboxTest> {
  const clock = manualClock();
  const opened = open(clock);
  const { sandbox, scene, host } = opened;
  const storage = memoryStorage({ clock });
  const adapter = wrap(create());
  const log: string[] = [];
  const commits: string[] = [];
  const note =
    (level: string) =>
    (message: string, fields?: object): void =>
      void log.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const { method, headers } = request;
    if (host.serves(url.hostname)) {
      const bytes = new Uint8Array(await request.clone().arrayBuffer());
      const operation = host.operation({ method, url, headers, bytes });
      if (host.commits.includes(operation)) commits.push(operation);
    }
    return sandbox.http(request);
  };
  const social = createSocialService({
    storage,
    clock,
    networks: [adapter],
    encryptionKey,
    baseUrl,
    http,
    untrustedHttp: http,
    logger: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
  });
  if (createHandler !== undefined) scene.hooks?.sendTo(createHandler(social));
  await clock.run(() => social.start());
  const { network, credentials } = scene;
  const profile = await clock.run(() => social.profiles.connect({ network, credentials }));
  const settle = () => clock.advance(settlingMs(adapter));

  async function all(): Promise<Shown[]> {
    const { conversations } = social.inbox;
    const shown: Shown[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await conversations.list({ limit: 100, ...(cursor && { cursor }) });
      for (const conversation of page.data)
        shown.push(...(await messagesOf(social, conversation.id)).map((message) => ({ conversation, message })));
      cursor = page.pagination.next_cursor ?? undefined;
      if (cursor === undefined) return shown;
    }
  }

  await settle();
  return {
    ...opened,
    clock,
    storage,
    social,
    profile,
    log,
    commits,
    settle,
    all,
    shown: async (text) => (await all()).filter(({ message }) => message.text?.includes(text)),
  };
}

async function messagesOf({ inbox }: SocialService, conversationId: string): Promise<InboxMessage[]> {
  const messages: InboxMessage[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await inbox.conversations.messages(conversationId, { limit: 100, ...(cursor && { cursor }) });
    messages.push(...page.data);
    cursor = page.pagination.next_cursor ?? undefined;
    if (cursor === undefined) return messages;
  }
}

/** Until every list was read twice, whose pauses are at most this long. */
function settlingMs({ inbox }: NetworkAdapter): number {
  const pauses = (inbox?.sources ?? []).map(({ every, lagSeconds = 10 }) => (every.max + lagSeconds) * 1_000);
  return hooksMs + 2 * Math.max(0, ...pauses.filter((ms) => ms <= longestMs));
}
