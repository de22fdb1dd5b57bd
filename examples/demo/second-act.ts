import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CreatePost, SocialService } from "postrider";
import type { Sandbox, SandboxPost } from "postrider/sandbox";
import type { DemoTime } from "./clock.ts";
import { countParts, inWords, isExact } from "./count.ts";
import type { Errand } from "./publisher.ts";
import { blank, headline, say, step } from "./screen.ts";
import type { World } from "./service.ts";
import { secondText } from "./texts.ts";
import type { Wire } from "./wire.ts";

export interface Stage {
  world: World;
  time: DemoTime;
  social: SocialService;
  sandbox: Sandbox;
  wire: Wire;
  profileIds: string[];
}

/** The part of each network whose answer never arrives. */
const fatalParts: Record<string, number> = { bluesky: 3, mastodon: 2, discord: 1 };

/** A process dies while it publishes; another one finishes its work. True when nothing is missing and nothing is there twice. */
export async function secondAct(stage: Stage): Promise<boolean> {
  const body: CreatePost = {
    profile_ids: stage.profileIds,
    text: secondText,
    auto_thread: true,
    idempotency_key: randomUUID(),
  };
  const plan = await stage.social.posts.validate(body);
  const before = shownBy(stage.sandbox);
  const lengths = plan.targets.map(({ network, parts }) => `${network} ${parts.length}`).join(", ");
  headline("2. kill -9, at the worst moment");
  say(`Another process publishes a thread; parts: ${lengths}.`);
  blank();

  await publishAndDie(stage, body);
  await finish(stage, body);

  headline("Counted, part by part");
  const counts = plan.targets.map(({ network, parts }) => {
    const shown = shownBy(stage.sandbox).filter((post) => post.network === network && !before.some(({ id }) => id === post.id));
    return { network, count: countParts(parts.map(({ text }) => text), shown) };
  });
  for (const { network, count } of counts) say(`${network}: ${inWords(count)}.`);
  return counts.every(({ count }) => isExact(count));
}

async function publishAndDie({ world, time, wire, social }: Stage, body: CreatePost): Promise<void> {
  const held = new Set<string>();
  let allHeld = (): void => {};
  const worstMoment = new Promise<void>((resolve) => {
    allHeld = resolve;
  });
  wire.listen(({ network, operation, part }) => {
    if (part === null) return;
    const isFatal = part === fatalParts[network];
    step(network, `${operation.padEnd(26)}part ${part} is public${isFatal ? "; the answer is held back" : ""}`);
    if (!isFatal) return;
    held.add(network);
    if (held.size === Object.keys(fatalParts).length) allHeld();
    return new Promise<never>(() => {});
  });

  const publisher = startPublisher({ world, time, body });
  const ended = once(publisher, "exit");
  await Promise.race([worstMoment, ended.then(() => failed("The process ended before it could be killed."))]);
  publisher.kill("SIGKILL");
  await ended;

  const [post] = (await social.posts.list({ status: "publishing" })).data;
  blank();
  say(`Process ${publisher.pid} is dead (SIGKILL). All three networks had just accepted a part, and none of the answers arrived. In the database the post is still "${post?.status}", and nothing there says whether those parts went out.`);
}

async function finish({ world, time, wire }: Stage, body: CreatePost): Promise<void> {
  time.fastFrom = Date.now();
  say(`The same program starts again, on the same database. It must not guess: it waits until nothing can be under way any more (seconds to minutes), then asks. So that you need not wait, the demo's clock runs ${time.speed} times as fast from here on.`);
  blank();
  wire.listen(({ network, operation, status, part }) => {
    step(network, `${operation.padEnd(26)}${part === null ? status : `part ${part + (fatalParts[network] ?? 0)} is public`}`);
  });
  const [code] = await once(startPublisher({ world, time, body }), "exit");
  if (code !== 0) failed(`The second process ended with ${code}.`);
}

/** The publisher as a process of its own; it ends with this one. */
function startPublisher(errand: Errand): ChildProcess {
  const env = { ...process.env, POSTRIDER_DEMO: JSON.stringify(errand) };
  const publisher = fork(fileURLToPath(new URL("publisher.ts", import.meta.url)), { env });
  const end = (): void => void publisher.kill("SIGKILL");
  process.once("exit", end);
  publisher.once("exit", () => process.off("exit", end));
  return publisher;
}

function shownBy({ bluesky, mastodon, discord }: Sandbox): (SandboxPost & { network: string })[] {
  return [bluesky, mastodon, discord].flatMap(({ network, posts }) => posts().map((post) => ({ ...post, network })));
}

function failed(message: string): never {
  throw new Error(message);
}
