import { setTimeout as wait } from "node:timers/promises";
import type { ArenaProcesses } from "./arena-processes.ts";
import { processHeader } from "./arena-service.ts";
import type { Random } from "./random.ts";
import type { Venue } from "./venue.ts";

/** The line of all processes to the networks, with somebody on it who kills them. */
export interface Killer {
  http: typeof fetch;
  /** Kills one process: at a random moment, or when a request that publishes or delivers arrives, or has been carried out. */
  killOne(processes: ArenaProcesses): Promise<void>;
}

const worstMoments = [
  "publishing arrives",
  "publishing is carried out",
  "delivery arrives",
  "delivery is carried out",
] as const;
type WorstMoment = (typeof worstMoments)[number];

/** Whom a request at the worst moment comes from: who is killed then. */
interface Ambush {
  moment: WorstMoment;
  strike(pid: number): void;
}

/** How long to wait for such a request before killing anybody, milliseconds. */
const ambushMs = 2_000;
const maxWaitMs = 400;

export function createKiller(venue: Pick<Venue, "http" | "isCommit" | "receiver">, random: Random): Killer {
  const { http, isCommit, receiver } = venue;
  let ambush: Ambush | null = null;

  function spring(moment: Ambush["moment"], pid: number): void {
    if (ambush?.moment !== moment) return;
    ambush.strike(pid);
    ambush = null;
  }

  async function fromAmbush(moment: Ambush["moment"], processes: ArenaProcesses): Promise<boolean> {
    const struck = new Promise<boolean>((resolve) => {
      ambush = { moment, strike: (pid) => resolve(processes.kill(pid)) };
    });
    return Promise.race([struck, wait(ambushMs, false)]);
  }

  return {
    async http(input, init) {
      const headers = new Headers(init?.headers);
      const pid = Number(headers.get(processHeader));
      headers.delete(processHeader);
      const { method = "GET" } = init ?? {};
      const url = String(input);
      const act = url === receiver.url ? "delivery" : isCommit({ method, url, headers }) ? "publishing" : null;
      if (act !== null) spring(`${act} arrives`, pid);
      const response = await http(input, { ...init, headers });
      if (act !== null) spring(`${act} is carried out`, pid);
      return response;
    },
    async killOne(processes) {
      await processes.ready();
      const moment = random.of(["any", ...worstMoments] as const);
      if (moment !== "any" && (await fromAmbush(moment, processes))) return;
      ambush = null;
      for (;;) {
        await wait(random.between(1, maxWaitMs));
        const pid = processes.any();
        if (pid !== null && processes.kill(pid)) return;
      }
    },
  };
}
