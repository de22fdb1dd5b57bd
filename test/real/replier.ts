import { systemClock } from "../../src/ports/clock.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { createRealService } from "./service.ts";
import { openSnacService } from "./snac-service.ts";
import { trustingFetch } from "./trusting-fetch.ts";

/** A process that sends one reply, and is killed during it. Its one argument is JSON. */
export interface ReplyErrand {
  database: string;
  /** How far its clock is ahead of the machine's, milliseconds. */
  aheadMs: number;
  conversationId: string;
  text: string;
  idempotency_key: string;
  /** Bluesky's server, and the URL for requests to it. Absent: a small server behind its front. */
  pds?: { url: string; lineUrl: string };
}

const errand = JSON.parse(process.argv[2] ?? "") as ReplyErrand;
const { database, aheadMs, conversationId, text, idempotency_key, pds } = errand;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const scopes = ["publish", "inbox"] as const;
const social =
  pds === undefined
    ? openSnacService({ database, clock, http: trustingFetch, scopes })
    : createRealService({
        pds: { url: pds.url, http: remoteSandbox(pds.lineUrl, fetch) },
        storage: sqliteStorage(database, { clock }),
        clock,
        scopes,
      });
await social.start();
// Not awaited: this process is killed first.
await social.inbox.conversations.reply(conversationId, { text, idempotency_key }).catch(() => undefined);
