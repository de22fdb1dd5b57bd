import { expect } from "vitest";
import type { Acceptance } from "../../networks/contract/acceptance.ts";
import type { LookInput, LookResult } from "../../networks/contract/look.ts";
import type { Publisher } from "../../networks/contract/publish.ts";
import type { Json } from "../../wire/json.ts";
import { commitInput, idsIn, isWhole, isWrite, type NetworkScene, secretsOf, stageAll } from "./scene.ts";

interface FollowedJob {
  publish: Publisher;
  /** Nothing is published yet. The network works for a while on an accepted post. */
  scene: NetworkScene;
  /** Operations that only read although they are not GET requests. */
  reads: readonly string[];
}

/** Time until the next look if the network does not state one, seconds. */
const defaultAgainSeconds = 30;

/**
 * Follows one post from its request through the network's job to its end: absent before, pending while the network
 * works, then live at every look.
 *
 * @throws an assertion that describes the adapter's mistake
 */
export async function followJob({ publish, scene, reads }: FollowedJob): Promise<void> {
  await stageAll(publish, scene);
  const input = { ...commitInput(publish, scene), since: scene.context.now() - 120_000 };
  const says = publish.textForms(scene.part, 0);
  const look = (job?: Json): Promise<LookResult> =>
    lookOnly({ publish, scene, reads }, job === undefined ? input : { ...input, job });

  const before = await look();
  expect(idsIn(before, says), "posts that are found before anything is sent").toEqual([]);
  expect(isWhole(before, says), "a look before the request finds nothing").toBe(true);

  const job = await sendForJob({ publish, scene, input });
  for (const secret of secretsOf(scene.secret)) expect(JSON.stringify(job)).not.toContain(secret);
  const first = await look(job);
  expect(first, "the first look, while the network works").toEqual(
    expect.objectContaining({ pending: expect.stringMatching(/\S/) }),
  );
  const end = await untilEnded({ publish, scene, first, look: () => look(job) });
  expect(end, "the end of the job").toEqual({ live: expect.objectContaining({ id: expect.stringMatching(/\S/) }) });
  expect(await look(job), "the job, read a second time").toEqual(end);
}

/** Sends the one request, and returns the network's job. */
async function sendForJob({
  publish,
  scene,
  input,
}: Pick<FollowedJob, "publish" | "scene"> & { input: LookInput }): Promise<Json> {
  const sent = scene.requests().length;
  const acceptance = await scene.run(async (): Promise<Acceptance | null> => {
    const response = await scene.send(publish.commit(input));
    expect(Math.floor(response.status / 100), "the status of the sent request").toBe(2);
    return publish.accepted(response, input);
  });
  expect(scene.requests().slice(sent), "the requests that make the post public").toHaveLength(1);
  expect(acceptance, "the result of accepted()").toEqual({ job: expect.anything() });
  return (acceptance as { job: Json }).job;
}

async function lookOnly({ publish, scene, reads }: FollowedJob, input: LookInput): Promise<LookResult> {
  const asked = scene.requests().length;
  const sighting = await scene.run(() => publish.lookFor(scene.context, input));
  const writes = scene
    .requests()
    .slice(asked)
    .filter((seen) => isWrite(seen, reads));
  expect(writes, "writing requests of a look").toEqual([]);
  return sighting;
}

/** Waits as the network requests, for as long as the engine would. */
async function untilEnded(options: {
  publish: Publisher;
  scene: NetworkScene;
  first: LookResult;
  look(): Promise<LookResult>;
}): Promise<LookResult> {
  const { publish, scene, look } = options;
  let sighting = options.first;
  let leftSeconds = publish.rules(scene.profile, scene.part).pendingCapSeconds;
  while ("pending" in sighting && leftSeconds > 0) {
    const seconds = sighting.again_seconds ?? defaultAgainSeconds;
    await scene.wait(seconds);
    leftSeconds -= seconds;
    sighting = await look();
  }
  return sighting;
}
