import type { MastodonPost } from "../../src/sandbox/mastodon/posts.ts";
import { type InstanceWays, mastodonsWays, type Visibility } from "../../src/sandbox/mastodon/ways.ts";
import { png } from "../media/samples.ts";
import type { Random } from "../prove/random.ts";
import type { CrashContent, CrashNetwork, CrashOptions, PostKind, World } from "./crash.ts";
import type { CrashCase } from "./crash-families.ts";
import { crashNetworks } from "./crash-networks.ts";
import { type LostPart, randomWays, visibilityAt, whyUndecided } from "./instance-ways.ts";
import { type MarkedText, markedText, plainText, shortText, similarText } from "./marked-texts.ts";

/** A small server of Mastodon's API, an account on it, and what its owner does there by hand. */
export interface SmallServer {
  /** What is special, for people. */
  words: string;
  network: CrashNetwork;
  kind: PostKind;
  content: CrashContent;
  /** The owner's posts by hand: some are there already, some come during the run. */
  prepare(world: World): Promise<void>;
}

const host = "small.sandbox.example";
const hourMs = 3_600_000;

export function onServer({ words, network, kind }: SmallServer): CrashCase {
  return { name: words, networks: [network], kind };
}

/** What goes wrong, on this server. */
export function within(server: SmallServer, options: CrashOptions): CrashOptions {
  return {
    ...options,
    content: server.content,
    async prepare(world) {
      await server.prepare(world);
      await options.prepare?.(world);
    },
  };
}

interface ByHand {
  afterSeconds: number;
  isSimilar: boolean;
  text: string;
  visibility: Visibility;
}

export function randomSmallServer(random: Random): SmallServer {
  const ways = randomWays(random);
  const kind = random.of<PostKind>(["text", "text", "media", "thread"]);
  const marked = Array.from({ length: kind === "thread" ? 3 : 1 }, () => markedText(random));
  const visibility = random.of<Visibility>(["public", "public", "unlisted", "private", "direct"]);
  const earlier = Array.from({ length: random.of([0, 3, 25, 60]) }, () => plainText(random));
  const wereShownBefore = random.next() < 0.7;
  const byHand = Array.from({ length: random.of([0, 0, 1, 2]) }, () => randomByHand(random, { marked, visibility }));
  const similar = new Set<string>();
  const network = networkWith(ways, (world, { part, isLive }) => {
    const { posts } = world.sandbox.mastodon;
    return whyUndecided({
      ways: { ...mastodonsWays, ...ways },
      text: marked[part] as MarkedText,
      visibility: visibilityAt(visibility, part),
      isReply: part > 0,
      hasFiles: kind === "media",
      isLive,
      wasShownBefore: wereShownBefore,
      hasSimilar: similar.size > 0,
      posts: posts().length,
    } satisfies LostPart);
  });
  return {
    words: [
      JSON.stringify(ways),
      `${visibility} ${kind} ${JSON.stringify(marked.map(({ text }) => text))}`,
      `${earlier.length} older posts, ${wereShownBefore ? "some" : "none"} of the same kind`,
      ...byHand.map(
        ({ afterSeconds, isSimilar }) => `${isSimilar ? "similar" : "other"} by hand after ${afterSeconds} s`,
      ),
    ].join("; "),
    network,
    kind,
    content: { texts: marked.map(({ text }) => text), visibility },
    async prepare(world) {
      for (const text of earlier) post(world, { text });
      if (wereShownBefore) showBefore(world, visibility, random);
      await world.clock.advance(hourMs);
      for (const { afterSeconds, isSimilar, ...given } of byHand) {
        void world.clock.sleep(afterSeconds * 1_000).then(() => {
          const id = post(world, given);
          if (isSimilar) similar.add(id);
        });
      }
    },
  };
}

function randomByHand(
  random: Random,
  { marked, visibility }: { marked: MarkedText[]; visibility: Visibility },
): ByHand {
  const isSimilar = random.next() < 0.4;
  return {
    afterSeconds: random.between(0, 150),
    isSimilar,
    text: isSimilar ? similarText(random.of(marked).text, random) : random.of([plainText, shortText])(random),
    visibility: random.of([visibility, "public"] as const),
  };
}

/** One of each kind that the parts may be. */
function showBefore(world: World, visibility: Visibility, random: Random): void {
  const text = post(world, { text: plainText(random), visibility });
  post(world, { text: plainText(random), visibility: visibilityAt(visibility, 1), reply_to: text });
  const media = [{ name: "by-hand.png", bytes: png(4, 4) }];
  post(world, { text: plainText(random), visibility, media });
}

type Given = Parameters<World["sandbox"]["mastodon"]["postAs"]>[1];

function post({ sandbox, accounts, byHand }: World, given: Given): string {
  const id = sandbox.mastodon.postAs(accounts[0]?.externalId ?? "", given);
  byHand.add(id);
  return id;
}

type WhyUndecided = NonNullable<CrashNetwork["whyUndecided"]>;

function networkWith(ways: Partial<InstanceWays>, whyUndecidedAt: WhyUndecided): CrashNetwork {
  const mastodon = crashNetworks.find(({ name }) => name === "mastodon") as CrashNetwork;
  return {
    ...mastodon,
    name: "small server",
    connect(sandbox) {
      sandbox.mastodon.addInstance({ host, apiVersion: null, maxCharacters: 5_000, ...ways });
      const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice", instance: host });
      return { network: "mastodon", credentials: { instance, access_token } };
    },
    posts: (sandbox) => sandbox.mastodon.posts(),
    whyUndecided: whyUndecidedAt,
    complaint: (shown, visibility) => complaintOf(shown as readonly MastodonPost[], { visibility, ways }),
  };
}

function complaintOf(
  shown: readonly MastodonPost[],
  { visibility, ways }: { visibility: Visibility; ways: Partial<InstanceWays> },
): string | null {
  for (const [part, { visibility: found, files }] of shown.entries()) {
    const asked = visibilityAt(visibility, part);
    const wanted = ways.visibilityBecomes?.[asked] ?? asked;
    if (found !== wanted) return `part ${part + 1} is ${found} instead of ${wanted}`;
    if (files.some((file) => !file.is_original)) return `part ${part + 1} shows another picture`;
  }
  return null;
}
