import type { Clock } from "../../ports/clock.ts";
import { createJobs, type Job } from "./jobs.ts";

/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09) */
export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED";

/** An unpublished container lives for a day. Same source. */
const lifeSeconds = 86_400;

/** What is to be published, uploaded or named by an address, before anybody can see it. */
export interface NewContainer<Content, Failure> {
  /** The account. */
  owner: string;
  content: Content;
  /** Containers that this one puts together. */
  children?: readonly string[];
  /**
   * Fetches what the content names by an address: at the first time that
   * somebody asks, not when the container is made, so an address must live on.
   * Returns what is wrong; null: nothing is.
   */
  pull?(): Promise<Failure | null>;
  /** False: it waits for bytes that are to be sent, and is not worked on. @default true */
  isWhole?(): boolean;
}

/** How far a container is; `failure` is why it is an `ERROR`. */
export interface ContainerState<Failure> {
  status: ContainerStatus;
  failure: Failure | null;
}

/** Why a container is not published. How the network says so is its own. */
export type NotPublished = "unknown" | "not_ready" | "already_published" | "failed" | "expired";

/** Media containers, as Instagram and Threads have them: made, worked on, and published once. */
export interface Containers<Content, Failure> {
  /** Containers that are pulled from now on are worked on for this long. @default 0 */
  take(seconds: number): void;
  /** The next container that is worked on ends like this. */
  failNext(failure: Failure): void;
  /** Returns the container's id; null: a child is unknown or not finished. */
  create(container: NewContainer<Content, Failure>): Promise<string | null>;
  /** Null: the account has no such container. */
  look(owner: string, id: string): Promise<ContainerState<Failure> | null>;
  /** What is to be shown from now on, once. */
  publish(owner: string, id: string): Promise<{ content: Content } | { refused: NotPublished }>;
}

interface Kept<Content, Failure> extends NewContainer<Content, Failure> {
  created_at: number;
  isPublished: boolean;
  /** From the first time that somebody asked; a promise, so that two who ask at once pull once. */
  work: Promise<Job<Failure>> | null;
}

const refusals: Readonly<Record<Exclude<ContainerStatus, "FINISHED">, NotPublished>> = {
  IN_PROGRESS: "not_ready",
  PUBLISHED: "already_published",
  ERROR: "failed",
  EXPIRED: "expired",
};

/** @param newId the network's next id; a container's is never the post's */
export function createContainers<Content, Failure>(ports: {
  clock: Pick<Clock, "now">;
  newId: () => string;
}): Containers<Content, Failure> {
  const { clock, newId } = ports;
  const jobs = createJobs<Failure>(clock);
  const kept = new Map<string, Kept<Content, Failure>>();

  function find(owner: string, id: string): Kept<Content, Failure> | null {
    const container = kept.get(id);
    return container?.owner === owner ? container : null;
  }

  async function begin({ pull }: NewContainer<Content, Failure>): Promise<Job<Failure>> {
    const failure = (await pull?.()) ?? null;
    return failure === null ? jobs.start() : { ready_at: clock.now(), failure };
  }

  /** What waits is over before anything is decided, so that of two who publish at once one does. */
  async function workOn(container: Kept<Content, Failure>): Promise<Job<Failure> | null> {
    if (!container.isPublished && !isExpired(container) && isWhole(container)) container.work ??= begin(container);
    return container.work;
  }

  function isExpired({ created_at, isPublished }: Kept<Content, Failure>): boolean {
    return !isPublished && clock.now() >= created_at + lifeSeconds * 1000;
  }

  const isWhole = (container: NewContainer<Content, Failure>): boolean => container.isWhole?.() ?? true;

  function stateOf(container: Kept<Content, Failure>, job: Job<Failure> | null): ContainerState<Failure> {
    if (container.isPublished) return { status: "PUBLISHED", failure: null };
    if (isExpired(container)) return { status: "EXPIRED", failure: null };
    if (job === null || !jobs.isDone(job)) return { status: "IN_PROGRESS", failure: null };
    return job.failure === null ? { status: "FINISHED", failure: null } : { status: "ERROR", failure: job.failure };
  }

  async function isFinished(owner: string, id: string): Promise<boolean> {
    const child = find(owner, id);
    if (child === null) return false;
    const job = await workOn(child);
    return stateOf(child, job).status === "FINISHED";
  }

  return {
    take: jobs.take,
    failNext: jobs.failNext,
    async create(container) {
      for (const child of container.children ?? []) if (!(await isFinished(container.owner, child))) return null;
      const id = newId();
      kept.set(id, { ...container, created_at: clock.now(), isPublished: false, work: null });
      return id;
    },
    async look(owner, id) {
      const container = find(owner, id);
      if (container === null) return null;
      const job = await workOn(container);
      return stateOf(container, job);
    },
    async publish(owner, id) {
      const container = find(owner, id);
      if (container === null) return { refused: "unknown" };
      const job = await workOn(container);
      const { status } = stateOf(container, job);
      if (status !== "FINISHED") return { refused: refusals[status] };
      container.isPublished = true;
      return { content: container.content };
    },
  };
}
