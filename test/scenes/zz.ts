import { playScene } from "./play.ts";
import { differences, readRecorded, writeRecorded } from "./recorded.ts";
import { createStores } from "./stores.ts";
const memory = await createStores("memory"); const sqlite = await createStores("sqlite");
if (typeof memory === "string" || typeof sqlite === "string") throw new Error("store");
const out = new Map();
for (const [seed] of readRecorded()) {
  const digests = (await playScene(seed, memory.open)).digests();
  const lanes = differences((await playScene(seed, sqlite.open)).digests(), digests);
  if (lanes.length) console.log("differs on sqlite", seed, lanes);
  out.set(seed, digests);
}
writeRecorded(out); await memory.close(); await sqlite.close();
