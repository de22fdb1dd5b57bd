import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { advance } from "./movable-time.mjs";

// A Bluesky PDS and its directory on loopback; the first argument is the PDS's
// configuration as JSON. With a second one, "network", the rest of Bluesky's
// network runs, too; it keeps its views at DB_POSTGRES_URL and REDIS_HOST.
// Prints their URLs, then takes one command a line:
// {"takeDown": "<did>"}, {"restore": "<did>"}, {"advanceMs": <ms>}.
const { TestNetwork, TestNetworkNoAppView } = createRequire(import.meta.url)("@atproto/dev-env");
const Network = process.argv[3] === "network" ? TestNetwork : TestNetworkNoAppView;
const network = await Network.create({ pds: JSON.parse(process.argv[2] ?? "{}"), dbPostgresSchema: "bluesky" });

console.log(JSON.stringify({ pds: network.pds.url, directory: network.plc.url }));

for await (const line of createInterface({ input: process.stdin })) {
  const { takeDown, restore, advanceMs } = JSON.parse(line);
  if (advanceMs === undefined) await setTakenDown(takeDown ?? restore, takeDown !== undefined);
  else advance(advanceMs);
  console.log(JSON.stringify({ done: true }));
}
await network.close();

async function setTakenDown(did, applied) {
  const subject = { $type: "com.atproto.admin.defs#repoRef", did };
  const response = await fetch(`${network.pds.url}/xrpc/com.atproto.admin.updateSubjectStatus`, {
    method: "POST",
    headers: { ...network.pds.adminAuthHeaders(), "content-type": "application/json" },
    body: JSON.stringify({ subject, takedown: applied ? { applied, ref: "test" } : { applied } }),
  });
  if (!response.ok) throw new Error(`updateSubjectStatus: ${response.status} ${await response.text()}`);
}
