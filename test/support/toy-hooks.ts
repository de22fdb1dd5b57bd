import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { z } from "zod";
import { createHandler } from "../../src/http/index.ts";
import type { HookEventRow } from "../../src/inbox/rows.ts";
import type {
  HookForm,
  HookSigning,
  HookSubscription,
  HookTarget,
  SignedByPublicKey,
} from "../../src/networks/contract/hooks.ts";
import { noReactions } from "../../src/networks/contract/inbox.ts";
import { isoTime } from "../../src/ports/clock.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { ownHost } from "../networks/fake-network.ts";
import { testBaseUrl } from "./service.ts";
import { createToy, type ToyAnswer } from "./toy.ts";

export const toyApp = "app-1";
const toyAccount = "account-1";

/** What the toy network sends. */
const sentSchema = z.object({ id: z.string(), account: z.string(), text: z.string() });

interface ToyHooksOptions {
  signed: HookSigning;
  form: HookForm;
  storage?: Storage;
  clock?: ManualClock;
  encryptionKey?: string;
  subscribe?(to: HookTarget): Promise<HookSubscription>;
  unsubscribe?(to: HookTarget): void;
}

/** A service with one account of a network that has nothing but webhooks, each with one direct message. */
export async function openToyHooks({ signed, form, subscribe, unsubscribe, ...ports }: ToyHooksOptions) {
  const inbox = {
    reports: { reactions: noReactions },
    sources: [],
    hooks: {
      signed,
      form,
      events({ bytes }: { bytes: Uint8Array }) {
        const body = sentSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
        return [{ id: body.id, account: body.account, body }];
      },
      async read(context: { now(): number }, given: unknown) {
        const { id, text } = sentSchema.parse(given);
        const ann = { id: "ann", name: "Ann", handle: null, avatar_url: null };
        const thread = {
          kind: "dm" as const,
          key: "dm/ann",
          external_id: "ann",
          participant: ann,
          url: null,
          referral: null,
        };
        const at = context.now();
        const message = { key: id, external_id: id, own: false, text, attachments: [], author: ann, sent_at: at };
        return [{ fact: "message" as const, at, thread, message: { ...message, edited_at: null } }];
      },
      subscribe: (_: unknown, to: HookTarget) => subscribe?.(to) ?? Promise.resolve({ state: "confirmed" as const }),
      unsubscribe: async (_: unknown, to: HookTarget) => unsubscribe?.(to),
    },
  };
  const toy = await createToy(
    {},
    {
      adapter: { inbox },
      spec: { inbox: { dm: "read", comment: "none", mention: "none" } },
      appOf: () => toyApp,
      ...ports,
    },
  );
  const handler = createHandler(toy.social);
  await toy.clock.run(() => toy.social.start());
  await toy.clock.advance(1_000);

  return {
    ...toy,
    inboxId: toy.profileId.replace(/^prof_/, "inb_"),
    /** Sends a request to the address that ends with this. */
    send: (end: string, init: RequestInit & { query?: string } = {}): Promise<Response> =>
      toy.clock.run(() => handler(new Request(`${testBaseUrl}/hooks/mastodon/${end}${init.query ?? ""}`, init))),
    /** The texts that have arrived, in the order of the alphabet, once what was sent is read. */
    async texts(): Promise<(string | null)[]> {
      await toy.clock.advance(2_000);
      const [conversation] = (await toy.social.inbox.conversations.list()).data;
      if (conversation === undefined) return [];
      const { data } = await toy.social.inbox.conversations.messages(conversation.id);
      return data.map(({ text }) => text).sort();
    },
    async storedEvents(): Promise<HookEventRow[]> {
      return (await toy.storage.find("hook_events", { where: {} })).rows.map((row) => fromRow<HookEventRow>(row));
    },
    status: async () => (await toy.social.inbox.status()).data[0]?.hooks,
  };
}

/** The body of an event with a text. */
export function eventWith(text: string, account = toyAccount): string {
  return JSON.stringify({ id: `event-${text}`, account, text });
}

/** A webhook of Whop's form. `at`: when it is sent, milliseconds. */
export function whopEvent(given: { text: string; secret: string; account?: string; at: number }): RequestInit {
  const { text, secret, account } = given;
  const body = eventWith(text, account);
  const at = Math.floor(given.at / 1_000);
  const signature = createHmac("sha256", secret).update(`${text}.${at}.${body}`).digest("base64");
  const headers = { "webhook-id": text, "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
  return { method: "POST", headers, body };
}

/** A webhook of Kick's form. `at`: when it is sent, milliseconds. */
export function kickEvent(given: { text: string; privateKey: KeyObject; at: number }): RequestInit {
  const body = eventWith(given.text);
  const [id, at] = [`id-${given.text}`, isoTime(given.at)];
  const headers = {
    "kick-event-message-id": id,
    "kick-event-message-timestamp": at,
    "kick-event-signature": sign("sha256", Buffer.from(`${id}.${at}.${body}`), given.privateKey).toString("base64"),
  };
  return { method: "POST", headers, body };
}

const publicKeySchema = z.object({ data: z.object({ public_key: z.string() }) });

/** As Kick tells its public key. */
export const signedByKey: SignedByPublicKey = {
  by: "public key",
  url: `https://${ownHost}/public-key`,
  keyIn: (body) => publicKeySchema.safeParse(body).data?.data.public_key ?? null,
};

/** The answer of the network to who reads its public key. */
export function publicKeyAnswer(pem: string): ToyAnswer {
  return { json: { data: { public_key: pem } } };
}

export interface KeyPair {
  pem: string;
  privateKey: KeyObject;
}

export function rsaKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return { pem: String(publicKey.export({ format: "pem", type: "spki" })), privateKey };
}
