import { createAddresses } from "../../src/hosting/address.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import { createFaults } from "../../src/sandbox/faults.ts";
import type { SandboxHost } from "../../src/sandbox/network.ts";

/** The files that a service keeps, at the addresses below its `baseUrl`: for networks that fetch them. */
export function hostedFiles(store: MediaStore, baseUrl: string): SandboxHost {
  const addresses = createAddresses(baseUrl);
  return {
    serves: (host) => host === new URL(baseUrl).hostname,
    operation: ({ method }) => `${method} /media/:key`,
    commits: [],
    faults: createFaults(),
    async answer({ url }) {
      const key = addresses.keyOf(url.href);
      const facts = key === null ? null : await store.head(key);
      const stream = key === null ? null : await store.read(key);
      if (facts === null || stream === null) return { status: 404, text: "no such file" };
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return { status: 200, headers: { "content-type": facts.content_type }, bytes };
    },
  };
}
