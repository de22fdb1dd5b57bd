import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const phaseNames = [
  "crash",
  "answers",
  "simulate",
  "inbox",
  "kill",
  "restarts",
  "workers",
  "webhooks",
  "fuzz",
  "media",
  "planted",
] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The arguments of `npm run prove`. */
export interface ProveOptions {
  phases: readonly PhaseName[];
  /** Repeats the random choices; with real processes their timing differs all the same. */
  seed: number;
  /** The share of all pairs of crashes that is tried, 0 to 1. */
  pairs: number;
  /** The share of all series of single crashes that is tried, 0 to 1; drawn by the seed. */
  series: number;
  /** Posts whose answers are lost at random. */
  answers: number;
  /** Virtual weeks, each with a seed of its own. */
  seeds: number;
  /** Virtual days of inboxes, each with a seed of its own. */
  days: number;
  /** Posts of the `kill` phase, and how often its processes are killed. */
  posts: number;
  kills: number;
  /** `kill`: another checkout of this project, which every second process runs; null: all run this one. */
  beside: string | null;
  /** Posts of the `restarts` phase. */
  publications: number;
  /** Posts of the `workers` phase, and how often its processes are killed. */
  burst: number;
  burstKills: number;
  /** Deliveries that are interrupted at every call, on virtual time. */
  deliveries: number;
  /** Webhook endpoints of which one in a hundred hangs. */
  endpoints: number;
  /** Requests to the REST surface. */
  requests: number;
  /** Media files with mistakes in them. */
  mutations: number;
  /** The share of the planted bugs that are hunted, 0 to 1; drawn by the seed. */
  bugs: number;
  /** Only the planted bugs with this in their name, all of them. */
  bug: string | null;
}

const usage = `npm run prove -- [phases] [options]

phases   ${phaseNames.join(", ")}; default: all

--seed N         repeats the random choices                              (1)
--pairs SHARE    crash: the share of all pairs of deaths, 0 to 1         (0.04)
--series SHARE   crash: the share of all series of single deaths, 0 to 1 (0.2)
--full           all pairs and all series of crash, all planted bugs
--answers N      answers: posts whose answers are lost at random         (3000)
--seeds N        simulate: virtual weeks, from the seed on               (800)
--days N         inbox: virtual days, from the seed on                   (20)
--posts N        kill: posts, in six runs                                (144)
--kills N        kill: kill -9, at random moments                        (48)
--beside DIR     kill: every second process runs another checkout's code  (none)
--publications N restarts: posts, while Postgres is restarted            (1500)
--burst N        workers: posts that are due at once                     (1500)
--burst-kills N  workers: kill -9 meanwhile                              (15)
--deliveries N   webhooks: deliveries that are interrupted               (6000)
--endpoints N    webhooks: endpoints, of which one in a hundred hangs    (1000)
--requests N     fuzz: requests made from the OpenAPI document           (20000)
--mutations N    media: files with mistakes in them                      (20000)
--bugs SHARE     planted: the share of all bugs, 0 to 1                  (0.2)
--bug NAME       planted: only those with this in their name
`;

/** @throws Error that says how to call it */
export function readArguments(given: readonly string[]): ProveOptions {
  const { values, positionals } = parse(given);
  const unknown = positionals.filter((name) => !(phaseNames as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`There is no phase ${unknown.join(", ")}.\n\n${usage}`);
  return {
    phases: positionals.length === 0 ? phaseNames : phaseNames.filter((name) => positionals.includes(name)),
    seed: toNumber("seed", values.seed, 1),
    pairs: values.full === true ? 1 : Math.min(1, toNumber("pairs", values.pairs, 0.04)),
    series: values.full === true ? 1 : Math.min(1, toNumber("series", values.series, 0.2)),
    answers: toNumber("answers", values.answers, 3_000),
    seeds: toNumber("seeds", values.seeds, 800),
    days: toNumber("days", values.days, 20),
    posts: toNumber("posts", values.posts, 144),
    kills: toNumber("kills", values.kills, 48),
    beside: values.beside === undefined ? null : resolve(values.beside),
    publications: toNumber("publications", values.publications, 1_500),
    burst: toNumber("burst", values.burst, 1_500),
    burstKills: toNumber("burst-kills", values["burst-kills"], 15),
    deliveries: toNumber("deliveries", values.deliveries, 6_000),
    endpoints: toNumber("endpoints", values.endpoints, 1_000),
    requests: toNumber("requests", values.requests, 20_000),
    mutations: toNumber("mutations", values.mutations, 20_000),
    bugs: values.full === true ? 1 : Math.min(1, toNumber("bugs", values.bugs, 0.2)),
    bug: values.bug ?? null,
  };
}

function parse(given: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    seed: text,
    pairs: text,
    series: text,
    full: { type: "boolean" } as const,
    answers: text,
    seeds: text,
    days: text,
    posts: text,
    kills: text,
    beside: text,
    publications: text,
    burst: text,
    "burst-kills": text,
    deliveries: text,
    endpoints: text,
    requests: text,
    mutations: text,
    bugs: text,
    bug: text,
  };
  if (given.includes("--help")) throw new Error(usage);
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function toNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new Error(`--${name} takes a number from 0 on, not "${text}".\n\n${usage}`);
  }
  return value;
}
