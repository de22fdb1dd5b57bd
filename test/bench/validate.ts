/** `posts.validate` for one post on every network: plans, parts, what is done to files, costs and warnings. */
import { mediaHost } from "../../src/sandbox/media-host.ts";
import { png } from "../media/samples.ts";
import { scenes, withNeeds } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { proseOf } from "../support/hostile-text.ts";
import { createTestService } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { timeOf } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";

const goalMs = 5;
/** What every network takes without a thread. */
const textLength = 200;

/** The files are in the service's own store, so that what they are is known. */
export async function benchValidate({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const service = createTestService();
  const { social, sandbox, clock } = service;
  const profileIds: string[] = [];
  for (const scene of scenes) profileIds.push((await connectFirst(service, scene)).id);
  const { url } = await clock.run(() => social.media.upload(png(640, 400)));
  const needs = withNeeds(
    scenes.map(({ network }) => network),
    sandbox,
  );
  const body = {
    profile_ids: profileIds,
    text: proseOf(textLength),
    media: [{ url, alt: "A square." }],
    networks: await hosted(needs, async (there) => {
      const file = await sandbox.http(there);
      const bytes = new Uint8Array(await file.arrayBuffer());
      return (await clock.run(() => social.media.upload(bytes))).url;
    }),
  };
  const validate = () => clock.run(() => social.posts.validate(body));
  const { targets } = await validate();
  const refused = targets.filter(({ valid }) => !valid);
  if (refused.length > 0) throw new Error(`The benchmark's own post was refused: ${JSON.stringify(refused)}`);
  const { ms, measured } = await timeOf(validate, pairs);
  return [
    {
      name: `validate a post with a picture for ${targets.length} networks`,
      ours: time(ms),
      floor: "",
      reached: time(ms),
      goal: `≤${goalMs} ms`,
      isMet: ms <= goalMs,
      raw: measured,
    },
  ];
}

type Networks = ReturnType<typeof withNeeds>;

/** The same with each file in another place. */
async function hosted(networks: Networks, move: (url: string) => Promise<string>): Promise<Networks> {
  let text = JSON.stringify(networks);
  const urls = new Set(text.match(new RegExp(`https://${mediaHost}/[^"]+`, "g")));
  for (const url of urls) text = text.replaceAll(url, await move(url));
  return JSON.parse(text) as Networks;
}
