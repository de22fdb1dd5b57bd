import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatePost } from "postrider";
import { demoClock, elapsed, setPace } from "./clock.ts";
import { countParts, inWords, isExact } from "./count.ts";
import { sceneOf, withNeeds } from "./networks.ts";
import type { Errand } from "./publisher.ts";
import { blank, headline, line, marked, publicParts, say, step, timed, whoLength } from "./screen.ts";
import type { Stage } from "./stage.ts";
import { secondText, textsThatFit } from "./texts.ts";
import type { Exchange } from "./wire.ts";

/** The part whose answer never arrives, where there are as many. A network may take a whole thread in one request. */
const fatalPart = 2;

/** How fast time runs while the second process asks: a request that takes 30 s must not be cut off by a busy machine. */
const hurry = 20;
/** And once little is left but waiting for the networks that want the longest. */
const greatHurry = 100;

/** A process dies while it publishes, another one finishes its work. True when nothing is missing and nothing is there twice. */
export async function secondAct(stage: Stage): Promise<boolean> {
  const { social, sandbox, wire, profileIds } = stage;
  const body = {
    profile_ids: profileIds,
    text: secondText,
    networks: withNeeds(
      social.networks.list().map(({ network }) => network),
      sandbox,
      textsThatFit(secondText, social.networks.list()),
    ),
    auto_thread: true,
    idempotency_key: randomUUID(),
  };
  const plan = await social.posts.validate(body);
  const earlier = new Set(sandbox.networks.flatMap(({ posts }) => posts().map(({ id }) => id)));
  const lengths = plan.targets.map(({ network, parts }) => `${parts.length} on ${network}`).join(", ");

  headline("2. kill -9, at the worst moment");
  say(`Another process, with the same database, publishes a longer text. Parts: ${lengths}.`);
  wire.nextPost();
  await publishAndDie(stage, { body, networks: plan.targets });
  await startAgain(stage, body);

  headline("Counted, part by part");
  const counts = plan.targets.map(({ network, parts }) => {
    const shown = sandbox.networks.flatMap((each) => (each.network === network ? each.posts() : []));
    const fresh = shown.filter(({ id }) => !earlier.has(id));
    return { network, ...countParts(textsOf(parts), fresh) };
  });
  for (const count of counts) line(`${count.network.padEnd(whoLength)}${marked(isExact(count), inWords(count))}`);
  blank();
  return counts.every(isExact);
}

function textsOf(parts: readonly { text: string }[]): string[] {
  return parts.map(({ text }) => text);
}

async function publishAndDie(
  { world, time, wire, social }: Stage,
  { body, networks }: { body: CreatePost; networks: readonly { network: string; parts: readonly unknown[] }[] },
): Promise<void> {
  const fatalParts = new Map(networks.map(({ network, parts }) => [network, Math.min(fatalPart, parts.length)]));
  const unanswered = new Set(fatalParts.keys());
  const worstMoment = new Promise<void>((resolve) => {
    wire.listen(({ network, operation, status, parts }) => {
      const fatal = fatalParts.get(network) ?? 0;
      if (parts === null || fatal < parts.first || fatal > parts.last)
        return step(network, `${operation} → ${status}`, parts === null ? "" : publicParts(parts, true));
      step(network, operation, publicParts(parts, false));
      unanswered.delete(network);
      if (unanswered.size === 0) resolve();
      return new Promise<never>(() => {});
    });
  });
  const publisher = startPublisher({ world, time, since: null, body });
  const ended = once(publisher, "exit");
  await Promise.race([worstMoment, ended]);
  publisher.kill("SIGKILL");
  await ended;
  if (unanswered.size > 0) throw new Error("The process ended before it could be killed.");

  const [post] = (await social.posts.list({ status: "publishing" })).data;
  blank();
  say(
    `Process ${publisher.pid} is dead (SIGKILL). Each network has just accepted a part or several, and no answer has arrived. ` +
      `In the database the post is still "${post?.status}", and nothing there can say whether those parts went out.`,
  );
}

async function startAgain({ world, time, wire }: Stage, body: CreatePost): Promise<void> {
  setPace(time, hurry);
  setPace(time, greatHurry, 4_000);
  const clock = demoClock(time);
  const since = clock.now();
  say(
    "The same program starts again. It does not guess: it waits until nothing can be under way any more, then asks. " +
      `That takes minutes; so that you need not wait, the demo's clock runs ${hurry} times as fast from here, and ` +
      `${greatHurry} times once most have been asked.`,
  );
  wire.listen((exchange) => {
    const { network, operation, status } = exchange;
    step(timed(elapsed(since, clock), network), `${operation} → ${status}`, remarkOn(exchange));
  });
  const [code] = await once(startPublisher({ world, time, since, body }), "exit");
  if (code !== 0) throw new Error(`The second process ended with ${code}.`);
  setPace(time, 1);
  blank();
}

/** What a request says about the parts whose answers were lost. */
function remarkOn({ network, operation, parts }: Exchange): string {
  if (parts !== null) return publicParts(parts, true);
  const { accounts, threads } = sceneOf(network);
  if (operation === accounts[0].commit) return marked(true, "same key: no second message");
  if (operation !== accounts[0].read) return "";
  return threads === "in one request" ? "looks for the thread" : `looks for part ${fatalPart}`;
}

/** The publisher as a process of its own, which ends with this one. */
function startPublisher(errand: Errand): ChildProcess {
  const env = { ...process.env, POSTRIDER_DEMO: JSON.stringify(errand) };
  // Beside this file, built as it is.
  const program = new URL(`publisher${extname(import.meta.url)}`, import.meta.url);
  const publisher = fork(fileURLToPath(program), { env });
  const end = (): void => void publisher.kill("SIGKILL");
  process.once("exit", end);
  publisher.once("exit", () => process.off("exit", end));
  return publisher;
}
