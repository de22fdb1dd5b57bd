import { z } from "zod";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Budget, BudgetCost } from "../../src/networks/contract/budgets.ts";
import {
  type Inbox,
  type InboxContext,
  type InboxSource,
  type InboxUpdate,
  noReactions,
} from "../../src/networks/contract/inbox.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { ownHost } from "../networks/fake-network.ts";
import { createToy, type Toy } from "./toy.ts";

/** What somebody wrote to an account of the toy network. */
interface Written {
  id: string;
  text: string;
  /** Milliseconds. */
  at: number;
}

const pageSchema = z.object({
  messages: z.array(z.object({ id: z.string(), text: z.string(), at: z.number() })),
  more: z.boolean(),
});

interface ToyListsOptions {
  budgets?: readonly Budget[];
  cost?: BudgetCost;
  /** What its inbox has besides. */
  inbox?: Partial<Inbox>;
  every?: InboxSource["every"];
  storage?: Storage;
  clock?: ManualClock;
  /** Called with every request before it is answered. */
  onRequest?(request: { path: string; account: string }): Promise<void>;
}

export interface ToyLists extends Toy {
  /** Somebody writes to an account. */
  write(account: string, text: string): void;
  /** Connects an account of the network to an account of the service. */
  join(tenant: string, account: string): Promise<string>;
  /** Requests for the list, by account. */
  listed: Map<string, number>;
  /** The texts that have arrived at an account of the service. */
  texts(tenant?: string): Promise<(string | null)[]>;
}

const pageSize = 2;

/** A service whose only network has one list of direct messages, with pages of two. */
export async function openToyLists({
  budgets = [],
  cost,
  inbox = {},
  every = { min: 300, max: 300 },
  onRequest = async () => {},
  ...ports
}: ToyListsOptions = {}): Promise<ToyLists> {
  const written = new Map<string, Written[]>();
  const listed = new Map<string, number>();

  const source: InboxSource = {
    name: "messages",
    every,
    lagSeconds: 0,
    ...(cost && { cost }),
    async poll(context, cursor) {
      const from = Number(cursor ?? 0);
      const { messages, more } = await readPage(context, from);
      return { facts: messages.map(factOf), cursor: from + messages.length, more };
    },
  };
  const adapter: Partial<NetworkAdapter> = {
    inbox: { reports: { reactions: noReactions }, sources: [source], ...inbox },
  };

  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const account = request.headers.get("x-account") ?? "";
    await onRequest({ path: pathname, account });
    if (pathname === "/posts") return Response.json({ id: "post-1" }, { status: 201 });
    listed.set(account, (listed.get(account) ?? 0) + 1);
    const from = Number(request.headers.get("x-from"));
    const all = written.get(account) ?? [];
    return Response.json({ messages: all.slice(from, from + pageSize), more: all.length > from + pageSize });
  };

  const toy = await createToy(
    {},
    {
      adapter,
      spec: { budgets, inbox: { dm: "reply", comment: "none", mention: "none" } },
      appOf: () => "app-1",
      http,
      ...ports,
    },
  );
  const { social, clock } = toy;
  let number = 0;
  return {
    ...toy,
    listed,
    write(account, text) {
      number += 1;
      const before = written.get(account) ?? [];
      written.set(account, [...before, { id: `m-${number}`, text, at: clock.now() }]);
    },
    async join(tenant, account) {
      const given = { network: "mastodon", credentials: { id: account } } as const;
      return (await clock.run(() => social.forAccount(tenant).profiles.connect(given))).id;
    },
    async texts(tenant = "default") {
      const { conversations } = social.forAccount(tenant).inbox;
      const { data } = await conversations.list({ limit: 100 });
      const found = await Promise.all(data.map(({ id }) => conversations.messages(id, { limit: 100 })));
      return found.flatMap((page) => page.data.map(({ text }) => text)).sort();
    },
  };
}

async function readPage(context: InboxContext, from: number): Promise<z.output<typeof pageSchema>> {
  const { body } = await context.request({
    method: "GET",
    url: `https://${ownHost}/messages`,
    headers: { "x-account": context.profile.external_id, "x-from": String(from) },
  });
  return pageSchema.parse(body);
}

function factOf({ id, text, at }: Written): InboxUpdate {
  const ann = { id: "ann", name: "Ann", handle: null, avatar_url: null };
  const thread = {
    kind: "dm",
    key: "dm/ann",
    external_id: "ann",
    participant: ann,
    url: null,
    referral: null,
  } as const;
  const message = { key: id, external_id: id, own: false, text, attachments: [], author: ann, sent_at: at };
  return { fact: "message", at, thread, message: { ...message, edited_at: null } };
}
