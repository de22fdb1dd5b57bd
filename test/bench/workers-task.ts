/** What a worker works on. */
export interface WorkerTask {
  kind: "postrider" | "pg-boss";
  /** Of the database. */
  url: string;
  /** Addresses of built modules. */
  built: Record<"core" | "postgres" | "network", string>;
}

/** What a worker tells. */
export interface WorkerReport {
  /** Messages to the server. */
  statements: number;
  /** Of this process, in user and system mode, milliseconds. */
  cpuMs: number;
  /** The numbers of the posts that were sent, or one number for each job. */
  done: number[];
}

/** The queue of jobs that do nothing. */
export const bossQueue = "noop";
