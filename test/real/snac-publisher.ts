import { systemClock } from "../../src/ports/clock.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { openSnacService } from "./snac-service.ts";
import { trustingFetch } from "./trusting-fetch.ts";

/** A process that publishes one post, and is killed during it. Its one argument is JSON. */
export interface SnacErrand {
  database: string;
  /** How far its clock is ahead of the machine's, milliseconds. */
  aheadMs: number;
  post: CreatePost;
}

const { database, aheadMs, post } = JSON.parse(process.argv[2] ?? "") as SnacErrand;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const social = openSnacService({ database, clock, http: trustingFetch });
await social.start();
await social.posts.create(post);
