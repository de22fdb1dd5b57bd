/** `npx tsx examples/own-network/publish.ts`: a post on a network of the host's own, once, though an answer is lost. */
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";
import { manualClock } from "postrider/testing";
import { notes } from "./notes.ts";
import { simulatedNotes } from "./simulated.ts";

const clock = manualClock();
const board = simulatedNotes();
const { http, untrustedHttp } = createSandbox({ clock, hosts: [board] });
const social = createSocialService({
  storage: memoryStorage({ clock }),
  networks: [notes(), bluesky()],
  encryptionKey: Buffer.alloc(32).toString("base64"), // For tests only.
  clock,
  http,
  untrustedHttp,
});

const credentials = { token: "a-good-token" };
const profile = await clock.run(() => social.profiles.connect({ network: "notes", credentials }));

board.faults.add({ kind: "drop_after", operation: "commit" }); // Written, but the answer is lost.
const body = { profile_ids: [profile.id], text: "The kitchen is open", networks: { notes: { pinned: true } } };
const { id } = await clock.run(() => social.posts.create(body));
await clock.advance(10 * 60_000);
await clock.run(() => social.runDue());

const post = await social.posts.get(id);
console.log(post.status, post.targets[0]?.network, post.targets[0]?.url);
console.log(`${board.notes().length} note on the board`);
