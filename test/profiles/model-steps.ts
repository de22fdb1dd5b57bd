import fc from "fast-check";
import type { Profile } from "../../src/profiles/schema.ts";

export type Status = Profile["status"];

/** The events of one account; `other`: its profile is reconnected with another account's credentials. */
const deeds = [
  ...(["connect", "connect", "reconnect", "other", "check", "check", "publish", "publish", "disconnect"] as const),
  ...(["idle", "expire", "expire", "revoke", "suspend", "restore", "break", "mend"] as const),
] as const;
export type Deed = (typeof deeds)[number];

/** One event at a time; one in a process that dies; or several concurrent ones in two processes. */
export type Step =
  | { account: number; deed: Deed; dieAt: number | null }
  | { account: number; together: readonly Deed[]; dieAt: null };

const account = fc.nat(1);
const alone = fc.record({
  account,
  deed: fc.constantFrom(...deeds),
  dieAt: fc.option(fc.nat(14), { freq: 4 }),
});
const together = fc.record({
  account,
  together: fc.array(fc.constantFrom<Deed>("connect", "reconnect", "check", "publish", "disconnect", "expire"), {
    minLength: 2,
    maxLength: 4,
  }),
  dieAt: fc.constant(null),
});

export const lives: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 5, arbitrary: alone }, { weight: 1, arbitrary: together }),
  { minLength: 4, maxLength: 14 },
);

/** The true state of the account, the network and the store. */
export interface Truth {
  /** Null: it was never connected. */
  status: Status | null;
  /** True: the network accepts the stored refresh token. */
  isAlive: boolean;
  /** True: the network accepts the stored access token. */
  isFresh: boolean;
  isSuspended: boolean;
  /** True: nothing can be renewed for now. */
  isBroken: boolean;
}

/** The status after an event. */
export function statusAfter(deed: Deed, truth: Truth): Status | null {
  const { status } = truth;
  const isThere = status === "connected" || status === "needs_attention";
  if (deed === "connect" || (deed === "reconnect" && status !== null)) return truth.isSuspended ? status : "connected";
  if (deed === "disconnect" && status !== null) return "disconnected";
  if (deed === "check" && isThere) {
    const end = use(truth);
    if (end === "yes") return "connected";
    return end === "later" ? status : "needs_attention";
  }
  if (deed === "publish" && status === "connected")
    return ["dead", "suspended"].includes(use(truth)) ? "needs_attention" : status;
  if (deed === "idle" && status === "connected") return renew(truth) === "dead" ? "needs_attention" : status;
  return status;
}

function use(truth: Truth): "yes" | "dead" | "later" | "suspended" {
  if (!truth.isFresh) return renew(truth);
  return truth.isSuspended ? "suspended" : "yes";
}

/** Only an explicit refusal by the network ends a connection: all else passes. */
function renew({ isBroken, isAlive, isSuspended }: Truth): "yes" | "dead" | "later" {
  if (isBroken) return "later";
  if (!isAlive) return "dead";
  return isSuspended ? "later" : "yes";
}
