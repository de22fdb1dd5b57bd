/** Looks for one planted bug in what is a network's own, with runs that are made for such: reports the first finding. */
import type { Post } from "../../src/publishing/schema.ts";
import { withNeeds } from "../networks/scenes.ts";
import { type CrashNetwork, crashRun } from "../support/crash.ts";
import { crashNetworks } from "../support/crash-networks.ts";
import { createTestService, type TestService } from "../support/service.ts";
import { verdictOn } from "../support/verdict.ts";
import { replacedPublicKey, replacedSecret } from "./hook-runs.ts";
import type { HuntResult } from "./hunt.ts";
import { countedBudget } from "./list-runs.ts";

interface Run {
  name: string;
  /** What is wrong; null: nothing. */
  finding(): Promise<string | null>;
}

/** Longer than the engine waits before it sends again, seconds. */
const longLagSeconds = 150;
const longerThanAccessMs = 3 * 3_600_000;
/** Cryptography takes real time, in which the virtual one of a post runs out: how often somebody works off what is due. */
const maxSweeps = 60;

const runs: readonly Run[] = crashNetworks
  .filter(({ isVariant }) => !isVariant)
  .flatMap((network) => [
    ...(["text", "media"] as const).map((kind) => ({
      name: `${network.name}, ${kind}, nothing in its way`,
      finding: async () => firstFinding(await crashRun(network, kind, {})),
    })),
    ...(refusesDuplicates(network) ? [{ name: `${network.name}, shown late`, finding: () => shownLate(network) }] : []),
    ...(network.scene.operations.renew === undefined
      ? []
      : [{ name: `${network.name}, renewed again and again`, finding: () => renewed(network) }]),
  ])
  .concat(
    { name: "youtube, a video that it cannot use", finding: uselessVideo },
    { name: "mastodon, a reply that no list of the account shows", finding: hiddenReply },
    { name: "a toy, another public key", finding: replacedPublicKey },
    { name: "a toy, another secret of its subscription", finding: replacedSecret },
    { name: "a toy, a budget that its list shares", finding: countedBudget },
  );

/** A text that the account has already is refused, whoever sends it again. */
function refusesDuplicates({ scene }: CrashNetwork): boolean {
  return scene.refusesEqualTexts === true;
}

/** The answer is lost, and the post shows only after it was sent again, which is refused as a duplicate. */
async function shownLate(network: CrashNetwork): Promise<string | null> {
  const run = await crashRun(network, "text", {
    prepare({ sandbox }) {
      network.lagReads(sandbox, longLagSeconds);
      network.faults(sandbox).add({ kind: "drop_after", operation: "commit" });
    },
  });
  return firstFinding(run);
}

function firstFinding(run: Awaited<ReturnType<typeof crashRun>>): string | null {
  const [finding] = verdictOn(run).findings;
  return finding === undefined ? null : `${finding.what}: ${finding.message}`;
}

/** Posts so far apart that the access token runs out between them. */
async function renewed(network: CrashNetwork): Promise<string | null> {
  const service = createTestService();
  const { id } = await service.clock.run(() => service.social.profiles.connect(network.connect(service.sandbox)));
  for (const text of ["One.", "Two.", "Three.", "Four."]) {
    const { status, targets } = await publish(service, network, { id, text });
    if (status !== "published") return `lost: "${text}" is ${status}: ${targets[0]?.error?.message}`;
    await service.clock.advance(longerThanAccessMs);
  }
  return null;
}

/** YouTube takes every byte with a yes, and finds out later that it cannot show them. */
async function uselessVideo(): Promise<string | null> {
  const network = networkNamed("youtube");
  const service = createTestService();
  const { social, sandbox, clock } = service;
  const { id } = await clock.run(() => social.profiles.connect(network.connect(sandbox)));
  sandbox.youtube.failNext({ status: "failed", reason: "codec" });
  const { status } = await publish(service, network, { id, text: "A video." });
  return status === "failed" ? null : `untrue: a video that YouTube cannot show is ${status}`;
}

const smallHost = "small.sandbox.example";
const settledWithinMs = 600_000;

/** The answer about a thread's second part is lost, on a small server whose list leaves replies out. */
async function hiddenReply(): Promise<string | null> {
  const { social, sandbox, clock } = createTestService();
  const ways = { software: "look_alike", keys: "ignored", listHidesReplies: true, lacksHome: true } as const;
  sandbox.mastodon.addInstance({ host: smallHost, ...ways });
  const { external_id, ...credentials } = sandbox.mastodon.addAccount({ username: "alice", instance: smallHost });
  sandbox.mastodon.postAs(external_id, { text: "Not for the public timelines", visibility: "unlisted" });
  const { id } = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit", after: 1 });
  const thread = ["One of two", "Two of two"];
  await clock.run(() => social.posts.create({ profile_ids: [id], thread }));
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    await clock.advance(settledWithinMs / maxSweeps);
    await clock.run(() => social.runDue());
  }
  const count = sandbox.mastodon.posts().filter(({ text }) => text === "Two of two").length;
  return count > 1 ? `twice: the second part is there ${count} times` : null;
}

function networkNamed(name: string): CrashNetwork {
  const network = crashNetworks.find((each) => each.name === name);
  if (network === undefined) throw new Error(`There is no ${name}.`);
  return network;
}

async function publish(
  { social, sandbox, clock }: TestService,
  { scene }: CrashNetwork,
  { id, text }: { id: string; text: string },
): Promise<Post> {
  const networks = withNeeds([scene.network], sandbox);
  let post = await clock.run(() => social.posts.create({ profile_ids: [id], text, networks }));
  for (let sweep = 0; post.status === "publishing" && sweep < maxSweeps; sweep++) {
    await clock.advance(10_000);
    await clock.run(() => social.runDue());
    post = await social.posts.get(post.id);
  }
  return post;
}

async function hunt(): Promise<HuntResult> {
  for (const [index, { name, finding }] of runs.entries()) {
    const found = await finding();
    if (found !== null) return { run: name, finding: found, tried: index + 1 };
  }
  return { run: null, finding: null, tried: runs.length };
}

process.send?.(await hunt());
