import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { png } from "../media/samples.ts";
import { busySeconds, runArena } from "../prove/arena.ts";
import { rightMachines } from "../prove/arena-world.ts";
import { seededRandom } from "../prove/random.ts";
import { receiverIn } from "../prove/sandbox-venue.ts";
import { table } from "../prove/screen.ts";
import type { OpenVenue, VenueAccount } from "../prove/venue.ts";
import { type RealPds, type RealRecord, startPds } from "./pds.ts";

const posts = 120;
const kills = 30;
const accounts = 20;
const seed = Number(process.env.POSTRIDER_SEED ?? 1);

let pds: RealPds;

beforeAll(async () => {
  pds = await startPds();
});

afterAll(() => pds?.stop());

/** The PDS, with a file host and a webhook receiver. It works without faults: only the processes die. */
const pdsVenue: OpenVenue = async () => {
  const sandbox = createSandbox();
  const receiver = receiverIn(sandbox);
  const picture = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  return {
    http: (input, init) => {
      const isBeside = [picture, receiver.url].includes(String(input));
      return isBeside ? sandbox.http(input, init) : pds.http(input, init);
    },
    isCommit: ({ method, url }) => method === "POST" && url.endsWith("/xrpc/com.atproto.repo.applyWrites"),
    accounts: await addAccounts(),
    receiver,
    picture,
    blueskyService: pds.url,
    spoil: () => undefined,
    close: async () => undefined,
  };
};

async function addAccounts(): Promise<VenueAccount[]> {
  const added: VenueAccount[] = [];
  for (let number = 1; number <= accounts; number++) {
    const { did, handle, app_password } = await pds.addAccount(`killed${number}`);
    added.push({
      name: handle,
      connection: { network: "bluesky", credentials: { identifier: handle, app_password } },
      threads: true,
      canBeAsked: true,
      posts: async () => (await pds.records(did)).map((record) => toPost(did, record)),
    });
  }
  return added;
}

function toPost(account: string, { uri, value }: RealRecord): SandboxPost {
  const { text, reply, embed, createdAt } = value as {
    text: string;
    reply?: { parent: { uri: string } };
    embed?: { images?: { alt: string }[] };
    createdAt: string;
  };
  const images = embed?.images ?? [];
  return {
    id: uri,
    account,
    text,
    media: images.length,
    alt: images.map(({ alt }) => alt),
    reply_to: reply?.parent.uri ?? null,
    url: null,
    created_at: createdAt,
  };
}

it(`a PDS holds ${posts} posts, threads and images exactly once after ${kills} kill -9, seed ${seed}`, async () => {
  const startedAt = performance.now();
  const tally = await runArena({
    name: "real server",
    random: seededRandom(seed),
    venue: pdsVenue,
    store: "sqlite",
    machines: rightMachines(2),
    posts,
    kills,
    maxProfiles: 1,
    speed: 1,
    pace: null,
    toleranceSeconds: busySeconds,
  });
  console.log(table([{ phase: "real server", tally, seconds: (performance.now() - startedAt) / 1000 }], seed));
  const { unanswered, unknowable, again, ...rest } = tally;
  expect(rest).toEqual({
    tried: posts,
    kills,
    twice: 0,
    lost: 0,
    stuck: 0,
    wrong: 0,
    undecided: 0,
    excused: 0,
    reasons: [],
    givenUp: 0,
    deliveries: posts + accounts,
    findings: [],
    notes: [],
  });
  // Otherwise nothing was interrupted at all.
  expect(unanswered).toBeGreaterThan(0);
}, 900_000);
