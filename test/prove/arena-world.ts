import type { CreatePost } from "../../src/posts/schema.ts";
import type { NeededContent } from "../networks/scene.ts";
import type { Random } from "./random.ts";

export type StorePlace = { kind: "sqlite"; file: string } | { kind: "postgres"; url: string };

/** What every process of an arena is told. */
export interface ArenaWorld {
  store: StorePlace;
  /** Where all requests go: the arena hands them on to the networks. */
  lineUrl: string;
  /** Bluesky's server; default: the public one, which the sandbox answers for. */
  blueskyService?: string | undefined;
  /** The moment from which time runs fast, milliseconds since 1970, and how fast. */
  time: { fastFrom: number; speed: number };
  /** How far this process's wall clock is off at first, milliseconds. */
  offMs: number;
}

/** What the processes of an arena run on. */
export interface ArenaMachine {
  /** How far its wall clock is off, milliseconds. */
  offMs: number;
  /** As TZ has it; null: the zone of this machine. */
  zone: string | null;
  /** The checkout of this project whose code runs there. @default this one */
  checkout?: string;
}

/** Machines whose clocks are right. @param checkout what every second one runs, where it is not this one */
export function rightMachines(count: number, checkout: string | null = null): ArenaMachine[] {
  return Array.from({ length: count }, (_, index) => ({
    offMs: 0,
    zone: null,
    ...(checkout !== null && index % 2 === 1 ? { checkout } : {}),
  }));
}

/** A post as it is to be published, and what each of its networks must show. */
export interface PlannedPost {
  key: string;
  body: CreatePost;
  texts: string[];
  /** How long after it is made it is to go out, milliseconds; null: at once. */
  aheadMs: number | null;
}

/** What is planned for later. */
export interface Schedule {
  /** The share of all posts, 0 to 1. */
  share: number;
  /** How long ahead, seconds. */
  soonest: number;
  latest: number;
  /** In whose local time it is written down. */
  zone: string;
}

/** A connected account, as posts are addressed to it. */
export interface Addressable {
  profileId: string;
  network: string;
  threads: boolean;
  needs?: NeededContent | undefined;
}

/** Posts, threads and pictures for one to three accounts each; every text is there once in the world. */
export function planPosts(
  count: number,
  options: {
    accounts: readonly Addressable[];
    picture: string;
    random: Random;
    maxProfiles: number;
    schedule?: Schedule;
  },
): PlannedPost[] {
  const { accounts, picture, random, schedule } = options;
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const key = keyOf(number);
    const kind = random.of(["text", "text", "media", "thread"] as const);
    const able = kind === "thread" ? accounts.filter(({ threads }) => threads) : accounts;
    const chosen = new Set(
      Array.from({ length: random.between(1, options.maxProfiles) }, () => random.of(able).profileId),
    );
    const networks = needsOf(accounts.filter(({ profileId }) => chosen.has(profileId)));
    const base = { profile_ids: [...chosen], idempotency_key: key, networks };
    const texts = kind === "thread" ? [1, 2, 3].map((part) => textOf(number, part)) : [textOf(number, 1)];
    const aheadMs = schedule === undefined ? null : timeAhead(schedule, random);
    if (kind === "thread") return { key, texts, aheadMs, body: { ...base, thread: texts } };
    const body = { ...base, text: texts[0] ?? "" };
    const media = [{ url: picture, alt: "A square." }];
    return { key, texts, aheadMs, body: kind === "text" ? body : { ...body, media } };
  });
}

function needsOf(accounts: readonly Addressable[]): NonNullable<CreatePost["networks"]> {
  return Object.fromEntries(accounts.flatMap(({ network, needs }) => (needs === undefined ? [] : [[network, needs]])));
}

function timeAhead({ share, soonest, latest }: Schedule, random: Random): number | null {
  return random.next() < share ? random.between(soonest, latest) * 1_000 : null;
}

/** The key of the post whose first part a request holds; null: it holds none. */
export function keyOfFirstPart(body: string): string | null {
  const number = /Post (\d+), part 1:/.exec(body)?.[1];
  return number === undefined ? null : keyOf(Number(number));
}

function keyOf(number: number): string {
  return `post number ${number}`;
}

function textOf(number: number, part: number): string {
  return `Post ${number}, part ${part}: only once, whatever happens.`;
}
