import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Clock } from "../ports/clock.ts";
import type { SandboxAnswer, SandboxRequest } from "./exchange.ts";
import type { Faults } from "./faults.ts";

/**
 * One simulated host, or several: state, and answers as strict as the real
 * one's. It is plain and instantaneous; losing, delaying and refusing is the
 * faults' part.
 */
export interface SandboxHost {
  /** Does it answer for this name? */
  serves(host: string): boolean;
  /**
   * Is this request its own, where several networks share a host, as those of Meta do? One that is nobody's goes to the
   * first of them. Absent: it leaves that to the others.
   */
  owns?(request: SandboxRequest): boolean;
  /** The operation's name, for failure scripts: `applyWrites`, `POST /api/v1/statuses`. */
  operation(request: SandboxRequest): string;
  /** Operations that make something public: what "commit" in a failure script means. */
  commits: readonly string[];
  /** Answers as the real one does, and remembers. */
  answer(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer>;
  /** What goes wrong, on demand. */
  faults: Faults;
}

/** One simulated network. What is its own (accounts, servers, ways to fail) is in its folder. */
export interface SandboxNetwork extends SandboxHost {
  /** Its id, as in requests. */
  network: NetworkId;
  /** Every post, in the order of publication. */
  posts(): SandboxPost[];
  /** Whatever publishes is refused for this long. */
  rateLimit(seconds: number): void;
  /** Reads show what was posted only this much later. */
  lagReads(seconds: number): void;
}

/** What every simulated network is given. */
export interface SandboxPorts {
  /** The time that passes for it. */
  clock: Clock;
  /** Numbers in [0, 1); seeded, so that a run can be repeated. */
  random: () => number;
  /** Reaches whatever else there is in the sandbox: networks fetch files by it that they are told the address of. */
  fetch: typeof fetch;
}

/** A post as the world sees it on a simulated network, in the order of publication. */
export interface SandboxPost {
  /** The network's own id: what `post_ids` holds. */
  id: string;
  /** The external id of the account it stands under. */
  account: string;
  /** As it is shown. */
  text: string;
  /** How many files it has. */
  media: number;
  /** The words of its files that have some. */
  alt: string[];
  /** The post it replies to. */
  reply_to: string | null;
  /** Where it is shown; null: nowhere. */
  url: string | null;
  /** ISO 8601. */
  created_at: string;
}
