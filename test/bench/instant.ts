/** A service whose network answers at once, with profiles that are connected to it. */
import type { SocialService } from "../../src/service.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { Built } from "./built.ts";

export interface InstantService {
  social: SocialService;
  profileIds: string[];
}

/** @param options `onPost`: called with the text of each post before it is answered */
export async function createInstantService(
  built: Built,
  options: { storage: Storage; profiles: number; onPost(text: string): void },
): Promise<InstantService> {
  const { storage, profiles, onPost } = options;
  const sandbox = built.createSandbox();
  const http = instantHttp(sandbox.http, onPost);
  const social = built.createSocialService({
    storage,
    networks: [built.bluesky()],
    encryptionKey: testKey,
    logger: silentLogger,
    http,
    untrustedHttp: http,
  });
  const profileIds: string[] = [];
  for (let number = 0; number < profiles; number++) {
    const { handle, password } = sandbox.bluesky.addAccount({ handle: `account-${number}.bsky.social` });
    const credentials = { identifier: handle, app_password: password };
    const { id } = await social.profiles.connect({ network: "bluesky", credentials });
    profileIds.push(id);
  }
  return { social, profileIds };
}

interface ApplyWrites {
  repo: string;
  writes: { collection: string; rkey: string; value: { text: string } }[];
}

const cid = "bafyreie5737gdxlw5i64vzichcalba3z2v5n6icifvx5xytvske7mr3hpm";

/** Takes every post without looking at it; all other requests are the sandbox's. */
export function instantHttp(others: typeof fetch, onPost: (text: string) => void): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith("/xrpc/com.atproto.repo.applyWrites")) return others(input, init);
    const body = init?.body as Uint8Array;
    const { repo, writes } = JSON.parse(Buffer.from(body).toString()) as ApplyWrites;
    for (const { value } of writes) onPost(value.text);
    const results = writes.map(({ collection, rkey }) => ({ uri: `at://${repo}/${collection}/${rkey}`, cid }));
    return new Response(JSON.stringify({ commit: { cid }, results }), {
      headers: { "content-type": "application/json" },
    });
  };
}
