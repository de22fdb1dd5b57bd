import { isoTime } from "../../src/ports/clock.ts";
import type { CreatePost, UpdatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { AccountModules } from "../../src/service.ts";
import { SocialError } from "../../src/wire/errors.ts";
import type { Readers } from "../networks/scene.ts";
import { optionsFor, sceneOf, withNeeds } from "../networks/scenes.ts";
import { type MarkedText, markedText } from "../support/marked-texts.ts";
import type { Random } from "./random.ts";
import { postByHand } from "./simulate-by-hand.ts";
import { StoreFailure } from "./simulate-store.ts";
import type { LivingProcess, SimulatedAccount, SimulatedProfile, SimulatedWorld } from "./simulate-world.ts";

/** What people do in one week. */
export interface Script {
  /** One thing that somebody does, through a process; resolves when it is answered, or never will be. */
  act(process: LivingProcess, another: LivingProcess): Promise<void>;
  /** Posts whose cancelling was answered with yes. */
  cancelled: ReadonlySet<string>;
  /** Profiles that somebody has disconnected, also without an answer. */
  disconnected: ReadonlySet<string>;
  /** Profiles whose owner has ever taken back what connects them, at the network. */
  revoked: ReadonlySet<string>;
  /** Profiles that nobody has reason to connect again: since they were connected, and that was answered, nothing has ended that. */
  connected: ReadonlySet<string>;
  /** Every text that was to be published, and how. */
  written: ReadonlyMap<string, Written>;
}

/** One part of a post. */
export interface Written {
  marked: MarkedText;
  /** Of the whole post, where a network knows it. */
  visibility: Readers;
  part: number;
  hasFiles: boolean;
}

/** What one action works with. */
interface Stage {
  account: SimulatedAccount;
  modules: AccountModules;
  /** Of another process. */
  others: AccountModules;
}

const minuteMs = 60_000;

export function createScript(world: SimulatedWorld, random: Random): Script {
  const cancelled = new Set<string>();
  const disconnected = new Set<string>();
  const revoked = new Set<string>();
  const connected = new Set(world.accounts.flatMap(({ profiles }) => profiles.map(({ id }) => id)));
  /** How often somebody set out to end what connects a profile, and how many of them are at it, or were when their process died. */
  const endings = new Map<string, { begun: number; open: number }>();
  /** Which post each idempotency key has made, as the answers say. */
  const madeBy = new Map<string, string>();
  const written = new Map<string, Written>();
  let marks = 0;

  const noEndings = { begun: 0, open: 0 };

  function endingsOf(id: string): { begun: number; open: number } {
    return endings.get(id) ?? noEndings;
  }

  async function ending(id: string, end: () => unknown): Promise<void> {
    connected.delete(id);
    const { begun, open } = endingsOf(id);
    endings.set(id, { begun: begun + 1, open: open + 1 });
    try {
      await end();
    } finally {
      endings.set(id, { ...endingsOf(id), open: endingsOf(id).open - 1 });
    }
  }

  function someOf<Item>(items: readonly Item[]): Item[] {
    const chosen = items.filter(() => random.next() < 0.6);
    return chosen.length > 0 ? chosen : [random.of(items)];
  }

  function write(about: Omit<Written, "marked">): string {
    const marked = markedText(random);
    written.set(marked.text, { ...about, marked });
    return marked.text;
  }

  /** Every version of every post says something else. */
  function content(profiles: readonly SimulatedProfile[]): Pick<CreatePost, "text" | "thread" | "media" | "networks"> {
    marks += 1;
    const visibility = random.of<Readers>(["public", "public", "public", "unlisted", "private", "direct"]);
    const addressed = profiles.map(({ body }) => body.network);
    const said = visibility === "public" ? {} : optionsFor(addressed, visibility);
    const networks = withNeeds(addressed, world.sandbox, said);
    const kind = random.of(["text", "text", "media", "thread"]);
    if (kind === "thread" && profiles.every(({ kind: { threads } }) => threads)) {
      const count = random.between(2, 3);
      const parts = Array.from({ length: count }, (_, part) => write({ visibility, part, hasFiles: false }));
      return { text: "", thread: parts, media: [], networks };
    }
    const hasFiles = kind === "media";
    const media = hasFiles ? [{ url: world.picture, alt: "A square." }] : [];
    return { text: write({ visibility, part: 0, hasFiles }), thread: null, media, networks };
  }

  function time(): Pick<CreatePost, "scheduled_at" | "draft"> {
    const ahead = random.of([0, 0, 1, 2, 10, 60, 600, 1_440, 2_880]) * minuteMs;
    if (random.next() < 0.15) return { draft: true };
    return ahead === 0 ? {} : { scheduled_at: isoTime(world.clock.now() + ahead + random.between(0, 5) * 1_000) };
  }

  async function somePost({ account }: Stage, statuses: readonly string[]): Promise<string | null> {
    const { rows } = await world.storage.find("posts", { where: { account_id: account.id } });
    const fitting = rows.filter(({ status }) => statuses.includes(String(status)));
    if (rows.length === 0) return null;
    return random.of(fitting.length > 0 && random.next() < 0.9 ? fitting : rows).id;
  }

  async function create({ account, modules, others }: Stage): Promise<void> {
    const profiles = someOf(account.profiles);
    const key = random.next() < 0.7 ? `key-${account.id}-${marks}` : null;
    const body = {
      profile_ids: profiles.map(({ id }) => id),
      ...content(profiles),
      ...time(),
      idempotency_key: key,
    } as CreatePost;
    const remember = ({ id }: Post): void => {
      if (key === null) return;
      const earlier = madeBy.get(key) ?? id;
      madeBy.set(key, earlier);
      if (earlier !== id) world.findings.push({ what: "twice", message: `the key ${key} made ${earlier} and ${id}` });
    };
    const isDoubled = key !== null && random.next() < 0.25;
    const first = modules.posts.create(body).then(remember);
    const second = isDoubled ? others.posts.create(body).then(remember) : null;
    const isRepeated = key !== null && random.next() < 0.5;
    const outcomes = await Promise.allSettled([first, ...(second === null ? [] : [second])]);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed === undefined) return;
    if (!isRepeated || !(failed.reason instanceof StoreFailure)) throw failed.reason;
    await world.clock.sleep(5_000);
    await others.posts.create(body).then(remember);
  }

  /** Several posts at the same millisecond. */
  async function createTogether(stage: Stage): Promise<void> {
    const swapped = { ...stage, modules: stage.others, others: stage.modules };
    const stages = Array.from({ length: random.between(2, 5) }, () => random.of([stage, swapped]));
    const outcomes = await Promise.allSettled(stages.map(create));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  async function update(stage: Stage): Promise<void> {
    const id = await somePost(stage, ["draft", "scheduled", "failed"]);
    if (id === null) return;
    const profiles = someOf(stage.account.profiles);
    const named = { ...content(profiles), profile_ids: profiles.map((profile) => profile.id) };
    const when = random.of<() => UpdatePost>([
      () => ({}),
      () => ({ publish_now: true }),
      () => ({ draft: true }),
      time,
    ])();
    await stage.modules.posts.update(id, { ...named, ...when } as UpdatePost);
  }

  async function cancel(stage: Stage): Promise<void> {
    const id = await somePost(stage, ["draft", "scheduled"]);
    if (id === null) return;
    await stage.modules.posts.cancel(id);
    cancelled.add(id);
  }

  async function retry(stage: Stage): Promise<void> {
    const id = await somePost(stage, ["failed", "partially_published"]);
    if (id !== null) await stage.modules.posts.retry(id);
  }

  async function disconnect({ account, modules }: Stage): Promise<void> {
    const { id } = random.of(account.profiles);
    disconnected.add(id);
    await ending(id, () => modules.profiles.disconnect(id));
  }

  async function revoke({ account }: Stage): Promise<void> {
    const { id, externalId, body } = random.of(account.profiles);
    const { login } = sceneOf(body.network).simulation ?? {};
    if (login === undefined) return;
    revoked.add(id);
    await ending(id, () => login.revoke(world.sandbox, { externalId, connection: body }));
  }

  async function reconnect({ account, modules }: Stage): Promise<void> {
    const gone = account.profiles.filter(({ id }) => disconnected.has(id) || revoked.has(id));
    if (gone.length === 0) return;
    const profile = random.of(gone);
    const { id, externalId, body } = profile;
    const { login } = sceneOf(body.network).simulation ?? {};
    if (login !== undefined && revoked.has(id))
      profile.body = login.allowAgain(world.sandbox, { externalId, connection: body });
    const before = endingsOf(id);
    await modules.profiles.connect(profile.body);
    if (before.open === 0 && endingsOf(id) === before) connected.add(id);
  }

  async function byHand({ account }: Stage): Promise<void> {
    postByHand(world, { profile: random.of(account.profiles), texts: [...written.keys()].slice(-5), random });
  }

  async function switchEndpoint({ account, modules }: Stage): Promise<void> {
    await modules.webhooks.update(account.other.id, { status: random.of(["active", "disabled"]) });
  }

  /** More of what matters most. */
  const actions = [
    ...Array.from({ length: 10 }, () => create),
    createTogether,
    createTogether,
    ...Array.from({ length: 4 }, () => update),
    ...Array.from({ length: 3 }, () => retry),
    cancel,
    cancel,
    disconnect,
    revoke,
    reconnect,
    reconnect,
    switchEndpoint,
    byHand,
    byHand,
    byHand,
  ];

  return {
    cancelled,
    disconnected,
    revoked,
    connected,
    written,
    async act(process, another) {
      const account = random.of(world.accounts);
      const stage = {
        account,
        modules: process.social.forAccount(account.id),
        others: another.social.forAccount(account.id),
      };
      const action = random.of(actions);
      try {
        await action(stage);
      } catch (error) {
        if (!isExpected(error)) world.findings.push({ what: "untrue", message: `${action.name} failed: ${error}` });
      }
    },
  };
}

/** An answer that says what to do, or a failure of the store or of a network passed on. */
function isExpected(error: unknown): boolean {
  if (error instanceof StoreFailure) return true;
  return SocialError.is(error) && ["conflict", "invalid_request", "publish_failed"].includes(error.code);
}
