import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// A Bluesky PDS and its directory on loopback. Prints where they are, then
// takes one command a line: {"takeDown": "<did>"}.
const { TestNetworkNoAppView } = createRequire(import.meta.url)("@atproto/dev-env");
const rateLimitsEnabled = process.argv.includes("--rate-limits");
const network = await TestNetworkNoAppView.create({ pds: { rateLimitsEnabled } });

console.log(JSON.stringify({ pds: network.pds.url, directory: network.plc.url }));

for await (const line of createInterface({ input: process.stdin })) {
  const { takeDown } = JSON.parse(line);
  const subject = { $type: "com.atproto.admin.defs#repoRef", did: takeDown };
  const response = await fetch(`${network.pds.url}/xrpc/com.atproto.admin.updateSubjectStatus`, {
    method: "POST",
    headers: { ...network.pds.adminAuthHeaders(), "content-type": "application/json" },
    body: JSON.stringify({ subject, takedown: { applied: true, ref: "test" } }),
  });
  console.log(JSON.stringify({ takenDown: response.ok }));
}
await network.close();
