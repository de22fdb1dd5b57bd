import type { Clock } from "../../ports/clock.ts";
import { createJobs, type Job } from "./jobs.ts";

/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09) */
export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED";

/** The lifetime of an unpublished container: a day. Same source. */
const lifeSeconds = 86_400;

/** Content to be published, uploaded or named by its URL, before it is visible. */
export interface NewContainer<Content, Failure> {
  /** The account. */
  owner: string;
  content: Content;
  /** The containers that this one combines. */
  children?: readonly string[];
  /**
   * Fetches the files that the content names by URL: when the container's status is first requested, not when it is
   * created, so a URL must stay valid. Returns the problem; null: none.
   */
  pull?(): Promise<Failure | null>;
  /** False: it waits for bytes and is not processed. @default true */
  isWhole?(): boolean;
}

/** A container's status; `failure` is the reason for `ERROR`. */
export interface ContainerState<Failure> {
  status: ContainerStatus;
  failure: Failure | null;
}

/** Why a container was not published. Each network words it differently. */
export type NotPublished = "unknown" | "not_ready" | "already_published" | "failed" | "expired";

/** Media containers of Instagram and Threads: created, processed, and published once. */
export interface Containers<Content, Failure> {
  /** Sets how long containers that are fetched from now on are processed. @default 0 */
  take(seconds: number): void;
  /** Makes the next processed container end with this failure. */
  failNext(failure: Failure): void;
  /** Returns the container's id; null: a child is unknown or not finished. */
  create(container: NewContainer<Content, Failure>): Promise<string | null>;
  /** Returns a container's status; null: the account has no such container. */
  look(owner: string, id: string): Promise<ContainerState<Failure> | null>;
  /** Publishes a container, once, and returns its content. */
  publish(owner: string, id: string): Promise<{ content: Content } | { refused: NotPublished }>;
}

interface Kept<Content, Failure> extends NewContainer<Content, Failure> {
  created_at: number;
  isPublished: boolean;
  /** Set by the first request for the status; a promise, so that concurrent requests fetch only once. */
  work: Promise<Job<Failure>> | null;
}

const refusals: Readonly<Record<Exclude<ContainerStatus, "FINISHED">, NotPublished>> = {
  IN_PROGRESS: "not_ready",
  PUBLISHED: "already_published",
  ERROR: "failed",
  EXPIRED: "expired",
};

/** @param newId the network's next id; a container's id is never that of the post */
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

  /** All waiting comes before the decision, so that of two concurrent requests only one publishes. */
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
