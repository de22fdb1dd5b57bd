import type { NetworkAdapter } from "../contract/adapter.ts";
import type { InboxKind } from "../contract/inbox.ts";
import type { InboxAccess } from "../contract/inbox-access.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import type { NetworkSpec } from "../contract/spec.ts";

/** The supported actions on messages of one kind, as responses show them. */
export interface ShownAccess {
  may: InboxAccess;
  /** Null: `may` is `reply`. */
  why: string | null;
}

export type AccessByKind = Record<InboxKind, ShownAccess>;

/** The parts of an adapter that say what its inbox supports. */
interface Reader {
  spec: Pick<NetworkSpec, "name" | "inbox">;
  inbox?: Pick<NonNullable<NetworkAdapter["inbox"]>, "access" | "reply"> | undefined;
}

/** What the inbox supports on a profile. Undefined: the service has no adapter for its network. */
export function accessOf(adapter: Reader | undefined, profile: ProfileFacts): AccessByKind {
  if (adapter === undefined)
    return byKind(() => ({ may: "none", why: "The network is not in this service's networks." }));
  return shown(adapter, adapter.inbox?.access?.(profile) ?? adapter.spec.inbox);
}

/** What the inbox supports on a network, if an account grants everything. */
export function accessOfNetwork(adapter: Reader): AccessByKind {
  return shown(adapter, adapter.spec.inbox);
}

function shown({ spec: { name }, inbox }: Reader, given: NetworkSpec["inbox"]): AccessByKind {
  return byKind((kind) => {
    const said = given[kind];
    const { may: stated, why } = typeof said === "string" ? { may: said, why: undefined } : said;
    if (inbox === undefined || stated === "none")
      return { may: "none", why: why ?? `The service does not read such messages on ${name}.` };
    if (stated === "reply" && inbox.reply !== undefined) return { may: "reply", why: null };
    return { may: "read", why: why ?? `The service does not send replies to such messages on ${name}.` };
  });
}

function byKind(accessTo: (kind: InboxKind) => ShownAccess): AccessByKind {
  return { dm: accessTo("dm"), comment: accessTo("comment"), mention: accessTo("mention") };
}
