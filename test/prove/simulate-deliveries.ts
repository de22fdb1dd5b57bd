import { isDeepStrictEqual } from "node:util";
import type { Post } from "../../src/publishing/schema.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { CreatedEndpoint } from "../../src/webhooks/schema.ts";
import { type DeliveryVerdict, judgeDeliveries } from "../support/delivery-verdict.ts";
import type { Finding } from "../support/verdict.ts";
import type { SimulatedAccount, SimulatedWorld } from "./simulate-world.ts";

/** Signatures carry the store's time; receivers see them later besides, seconds. */
const toleranceSeconds = 900;
/** The same where the store's own clock has been off, by up to a day. */
const jumpToleranceSeconds = 86_400 + toleranceSeconds;

interface EndpointEvidence {
  world: SimulatedWorld;
  account: SimulatedAccount;
  posts: readonly Post[];
}

/** What there was to tell of posts and profiles, against what an account's endpoints were told. */
export async function judgeEndpoints(evidence: EndpointEvidence): Promise<DeliveryVerdict> {
  const { world, account } = evidence;
  const always = await judgeEndpoint(evidence, account.endpoint, `${account.id}-all`);
  const sometimes = await judgeEndpoint(evidence, account.other, `${account.id}-sometimes`);
  // While it is disabled nothing is recorded for it.
  const findings = [
    ...always.findings,
    ...sometimes.findings.filter(({ message }) => !message.startsWith("there is no")),
  ];
  const news = world.profileNews.filter((each) => account.profiles.some(({ id }) => each.endsWith(id)));
  if (!isDeepStrictEqual([...news].sort(), [...always.profileNews].sort())) {
    findings.push({ what: "lost", message: `of ${news} only ${always.profileNews} was told` });
  }
  return { findings, deliveries: always.deliveries + sometimes.deliveries, again: always.again + sometimes.again };
}

/** What one endpoint was told of posts; and what of profiles. */
async function judgeEndpoint(
  { world, posts }: EndpointEvidence,
  endpoint: CreatedEndpoint,
  receiver: string,
): Promise<ReturnType<typeof judgeDeliveries> & { profileNews: string[] }> {
  const found = await world.storage.find("deliveries", { where: { webhook_id: endpoint.id } });
  const rows = found.rows.map((row) => fromRow<DeliveryRow>(row));
  const received = world.sandbox.receivers.deliveries(receiver);
  const ofPosts = judgeDeliveries({
    posts,
    settlements: world.settlements.filter(({ id }) => posts.some((post) => post.id === id)),
    profiles: [],
    endpoint,
    rows: rows.filter(({ event }) => event.startsWith("post.")),
    received: received.filter(({ event }) => event.startsWith("post.")),
    toleranceSeconds: world.storeJumps > 0 ? jumpToleranceSeconds : toleranceSeconds,
  });
  const profileRows = rows.filter(({ event }) => event.startsWith("profile."));
  const profileNews = profileRows.map(({ event, private: { body } }) => {
    const { data } = JSON.parse(body) as { data: { profile: { id: string } } };
    return `${event} of ${data.profile.id}`;
  });
  const stuck = profileRows.filter(({ status }) => status === "pending");
  const findings = [
    ...ofPosts.findings,
    ...stuck.map(({ id }): Finding => ({ what: "stuck", message: `${id} is pending` })),
  ];
  return { ...ofPosts, findings, deliveries: rows.length, profileNews };
}
