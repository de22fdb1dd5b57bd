import * as z from "zod";
import { type Clock, systemClock } from "../ports/clock.ts";
import { type Logger, quietLogger } from "../ports/logger.ts";
import {
  aFunction,
  checkArgument,
  checkOptions,
  clockOption,
  loggerOption,
  type OptionSchemas,
  port,
} from "../ports/parse-options.ts";
import { createComplain } from "./complain.ts";
import { engineScheduler } from "./engine.ts";
import type { Scheduler } from "./scheduler.ts";

/** The part of BullMQ's `Queue` that is used; any object with these methods works. */
export interface BullQueue {
  /** Puts a job into the queue. */
  add(name: string, data: { key: string; at: number }, options: BullJobOptions): Promise<unknown>;
  /** Listens to the queue's errors. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** The options of a job in the queue. */
export interface BullJobOptions {
  /** The job's id. BullMQ ignores a second job with the same id. */
  jobId: string;
  /** Time until it is due, milliseconds. */
  delay: number;
  /** The maximum number of attempts. */
  attempts: number;
  /** True: the job is deleted once it has succeeded. */
  removeOnComplete: boolean;
  /** True: the job is deleted once it has failed. */
  removeOnFail: boolean;
}

/** The part of BullMQ's `Worker` that is used. */
export interface BullWorker {
  /** Listens to the worker's errors. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Closes it, once its jobs have ended. */
  close(): Promise<void>;
}

/** Options of `bullmqScheduler`. */
export interface BullmqSchedulerOptions {
  /**
   * Creates a worker of the same queue that starts automatically; called at
   * each `start`. `process` returns quickly, so BullMQ's default concurrency is enough.
   */
  createWorker(process: (job: { data: unknown }) => Promise<void>): BullWorker;
  /** The current time. @default the machine's clock */
  clock?: Clock | undefined;
  /** Receives failures. @default warnings and errors to the console */
  logger?: Logger | undefined;
}

const queueArgument = port<BullQueue>("a Queue of BullMQ", ["add", "on"]);

const optionsSchema = z.strictObject({
  createWorker: aFunction("a function that makes a Worker of the queue"),
  clock: clockOption.optional(),
  logger: loggerOption.optional(),
} satisfies OptionSchemas<BullmqSchedulerOptions>);

/**
 * Alarms in a BullMQ queue of your own, used for nothing else: the first
 * free machine gets an alarm. `stop` closes the worker that `createWorker` has created; you close the
 * queue and the connection.
 *
 * A machine that never calls `start` still sends its alarms to the others.
 * Alarms hold no data: if Redis is emptied, posts are published a little later. The service does not
 * wait for Redis while it is down. `error` events of queue and worker are logged, and do not end the
 * process.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 *
 * @example
 * const connection = new Redis({ maxRetriesPerRequest: null });
 * const queue = new Queue("postrider-alarms", { connection });
 * const scheduler = bullmqScheduler(queue, {
 *   createWorker: (process) => new Worker(queue.name, process, { connection }),
 * });
 */
export function bullmqScheduler(queue: BullQueue, options: BullmqSchedulerOptions): Scheduler {
  checkArgument("bullmqScheduler", "queue", queueArgument, queue);
  checkOptions("bullmqScheduler", optionsSchema, options);
  const { createWorker, clock = systemClock, logger = quietLogger } = options;
  const complain = createComplain({ clock, logger });
  let worker: BullWorker | null = null;

  function onError(error: Error): void {
    complain("BullMQ reports an error", error);
  }
  queue.on("error", onError);

  return engineScheduler(
    {
      name: "BullMQ",
      async keep(alarm, id) {
        await queue.add("alarm", alarm, {
          jobId: id,
          delay: Math.max(0, alarm.at - clock.now()),
          attempts: 1,
          removeOnComplete: true,
          removeOnFail: true,
        });
      },
      // Does not wait until the worker is ready, which may never happen: the worker connects when it can.
      async listen(ring) {
        worker = createWorker(async ({ data }) => ring(data));
        worker.on("error", onError);
      },
      async unlisten() {
        await worker?.close();
      },
    },
    { clock, logger, complain },
  );
}
