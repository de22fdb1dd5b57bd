import fc from "fast-check";
import type { Profile } from "../../src/profiles/schema.ts";

export type Status = Profile["status"];

/** What happens to one account; `other`: somebody reconnects its profile with another account's login. */
const deeds = [
  ...(["connect", "connect", "reconnect", "other", "check", "check", "publish", "publish", "disconnect"] as const),
  ...(["idle", "expire", "expire", "revoke", "suspend", "restore", "break", "mend"] as const),
] as const;
export type Deed = (typeof deeds)[number];

/** One deed at a time; one in a process that dies; or several at once in two processes. */
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

/** How things stand between the account, the network and the store. */
export interface Truth {
  /** Null: it was never connected. */
  status: Status | null;
  /** The stored refresh token is the one that the network takes. */
  isAlive: boolean;
  /** The stored access token is one that the network takes. */
  isFresh: boolean;
  isSuspended: boolean;
  /** Nothing can be renewed for now. */
  isBroken: boolean;
}

/** The status that a deed leaves behind. */
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

/** Only the network's word for a dead login is one: all else passes. */
function renew({ isBroken, isAlive, isSuspended }: Truth): "yes" | "dead" | "later" {
  if (isBroken) return "later";
  if (!isAlive) return "dead";
  return isSuspended ? "later" : "yes";
}
