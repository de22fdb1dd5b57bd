import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Clock } from "../ports/clock.ts";
import type { SandboxAnswer, SandboxRequest } from "./exchange.ts";
import type { Faults } from "./faults.ts";

/**
 * One simulated host, or several, with their state. It responds as strictly as the real one, and without delay or loss:
 * faults lose, delay and reject requests.
 */
export interface SandboxHost {
  /** True: the host serves this hostname. */
  serves(host: string): boolean;
  /**
   * True: the request belongs to this network, where several share a host, as those of Meta do. A request that belongs
   * to none goes to the first of them. Absent: the request goes to the others.
   */
  owns?(request: SandboxRequest): boolean;
  /** The operation's name in failure scripts: `applyWrites`, `POST /api/v1/statuses`. */
  operation(request: SandboxRequest): string;
  /** The operations that make something public; "commit" in a failure script means these. */
  commits: readonly string[];
  /** Responds as the real host does, and stores the changes. */
  answer(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer>;
  /** The failure script. */
  faults: Faults;
}

/** One simulated network. Its accounts, servers and own kinds of failure are in its folder. */
export interface SandboxNetwork extends SandboxHost {
  /** The network's id, as in requests. */
  network: NetworkId;
  /** All posts, in the order of publication. */
  posts(): SandboxPost[];
  /** Rejects everything that publishes, for this long. */
  rateLimit(seconds: number): void;
  /** Delays what reads show: posts appear in them this much later. */
  lagReads(seconds: number): void;
}

/** The dependencies of every simulated network. */
export interface SandboxPorts {
  /** The network's clock. */
  clock: Clock;
  /** Random numbers in [0, 1), from the seed, so that a run can be repeated. */
  random: () => number;
  /** Requests to everything else in the sandbox. Networks use it to fetch files by their URLs. */
  fetch: typeof fetch;
}

/** A post as users see it on a simulated network. */
export interface SandboxPost {
  /** The network's own id, as in `post_ids`. */
  id: string;
  /** The external id of the account that published it. */
  account: string;
  /** The text as the network shows it. */
  text: string;
  /** The number of its files. */
  media: number;
  /** The alt texts of those files that have one. */
  alt: string[];
  /** The id of the post that it replies to. */
  reply_to: string | null;
  /** Its URL; null: it is not shown. */
  url: string | null;
  /** ISO 8601. */
  created_at: string;
}
