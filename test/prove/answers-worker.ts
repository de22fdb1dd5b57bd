/** Works off the jobs of the phase `answers`: posts on networks that lose, delay and garble their answers at random. */
import type { SandboxAnswer } from "../../src/sandbox/exchange.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import { type CrashOptions, countUnanswered, crashRun, type World } from "../support/crash.ts";
import { type CrashCase, crashCases } from "../support/crash-families.ts";
import { misleadingAnswer } from "../support/misleading-answers.ts";
import { onServer, randomSmallServer, within } from "../support/small-servers.ts";
import { verdictOn } from "../support/verdict.ts";
import { receiverFault } from "./arena-faults.ts";
import { type Random, seededRandom } from "./random.ts";
import { addFindings, addTally, emptyTally, type Tally } from "./tally.ts";

/** Posts `from` to `to`, each with a seed of its own. */
export interface AnswersJob {
  seed: number;
  from: number;
  to: number;
}

process.on("message", (job: AnswersJob) => {
  void work(job).then((tally) => process.send?.(tally));
});

const cases = crashCases.filter(({ networks }) => networks.every(({ canBeAsked }) => canBeAsked));

async function work({ seed, from, to }: AnswersJob): Promise<Tally> {
  const tally = emptyTally();
  for (let number = from; number < to; number++) {
    const random = seededRandom(seed * 1_000_003 + number);
    // The other half goes to servers as they come.
    const server = random.next() < 0.5 ? randomSmallServer(random) : null;
    const crashCase = server === null ? random.of(cases) : onServer(server);
    const { words, options } = misfortune(crashCase, random);
    const run = await crashRun(crashCase.networks, crashCase.kind, server === null ? options : within(server, options));
    const { findings, ...ends } = verdictOn(run);
    const kills = [run.process, run.recovery].filter((each) => each.isDead()).length;
    addTally(tally, { tried: 1, kills, unanswered: await countUnanswered(run), ...ends });
    const name = `answers, seed ${seed}, post ${number}, ${crashCase.name}: ${words.join("; ")}`;
    addFindings(tally, name, findings);
    if (ends.undecided > 0) addTally(tally, { notes: [`undecided: ${name}`] });
  }
  return tally;
}

/** What goes wrong with one post, and the same in words. */
function misfortune(crashCase: CrashCase, random: Random): { words: string[]; options: CrashOptions } {
  const { latest, shownBy } = crashCase.kind === "media" ? patience.media : patience.text;
  const lag = random.of([0, 0, 20, 60, 90]);
  const faults = Array.from({ length: random.between(1, 3) }, () =>
    randomFault(random, Math.min(latest, shownBy - lag)),
  );
  const readFaults = random.between(0, 2);
  const dieAt = random.next() < 0.3 ? random.between(0, 60) : undefined;
  const receiverFaults = Array.from({ length: random.of([0, 0, 0, 1, 2]) }, () => receiverFault(random));
  const beside = random.next() < 0.5 ? { skewMs: random.between(-300, 300) * 1_000 } : undefined;
  const prepare = ({ sandbox }: World): void => {
    for (const fault of receiverFaults) sandbox.receivers.faults.add(fault);
    for (const network of crashCase.networks) {
      network.lagReads(sandbox, lag);
      for (const faultOn of faults)
        network.faults(sandbox).add({ ...faultOn(network.scene.network), operation: "commit" });
      const answer = { status: 503, text: "<html>Service unavailable</html>" };
      if (network.read === null) continue;
      network.faults(sandbox).add({ kind: "refuse", answer, operation: network.read, times: readFaults });
    }
  };
  const words = [
    ...faults.map((faultOn) => JSON.stringify(faultOn(crashCase.networks[0]?.scene.network ?? ""))),
    `reads lag ${lag} s`,
    `${readFaults} reads fail`,
    ...receiverFaults.map((fault) => `the receiver of webhooks: ${JSON.stringify(fault)}`),
    dieAt === undefined ? "no death" : `dies at ${dieAt}`,
    beside === undefined ? "alone" : `beside a worker ${beside.skewMs} ms off`,
  ];
  return { words, options: { dieAt, beside, prepare } };
}

/** What goes wrong on a network: answers are in its own words. */
type FaultOn = (network: string) => FaultKind;

/**
 * The most that a network may take for the engine to be right, seconds after
 * the intent: `latest` until a post is taken whose connection broke (5 s to send,
 * 30 s hard end, settle window), `shownBy` until a post can be read (the second look).
 */
const patience = { text: { latest: 64, shownBy: 120 }, media: { latest: 150, shownBy: 210 } };

function randomFault(random: Random, latest: number): FaultOn {
  const page = { status: random.of([500, 502, 503, 504]), text: "<html>Oops</html>" };
  const place = random.next();
  const answerOn = random.of<(network: string) => SandboxAnswer>([
    () => page,
    (network) => misleadingAnswer(network, place),
  ]);
  const always =
    (fault: FaultKind): FaultOn =>
    () =>
      fault;
  return random.of<() => FaultOn>([
    () => always({ kind: "drop_before" }),
    () => always({ kind: "drop_after" }),
    () => always({ kind: "accept_late", seconds: random.between(1, latest) }),
    () => (network) => ({ kind: "refuse", answer: answerOn(network) }),
    () => (network) => ({ kind: "refuse_though_done", answer: answerOn(network) }),
    () => always({ kind: "refuse_though_done", answer: { status: 200, text: "<html>All well</html>" } }),
    () => always({ kind: "cut_body" }),
    () => always({ kind: "hang" }),
    () => always({ kind: "slow", seconds: random.between(1, 90) }),
  ])();
}
