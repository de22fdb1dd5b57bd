import { after } from "next/server";
import { createSocialService } from "postrider";
import { createHandler, type Handler } from "postrider/http";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

/** The networks are simulated, and everything is gone with the process: give it a real storage and no sandbox. */
async function open() {
  const sandbox = createSandbox();
  const account = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
  const { http, untrustedHttp } = sandbox;
  const social = createSocialService({ storage: memoryStorage(), networks: [bluesky()], http, untrustedHttp });
  await social.start();
  const credentials = { identifier: account.handle, app_password: account.password };
  const profile = await social.profiles.connect({ network: "bluesky", credentials });
  const { key } = await social.keys.create();
  console.log("The service has started.");
  return { handler: createHandler(social, { basePath: "/social", waitUntil: after }), key, profileId: profile.id };
}

/**
 * Next.js loads a file once for every bundle it is in, and again whenever it
 * changes; there is one service. Loading starts nothing, so that a build does
 * not either: `instrumentation.ts` opens it when a server starts.
 */
const shared = globalThis as { social?: ReturnType<typeof open> };

export function openOnce() {
  shared.social ??= open();
  return shared.social;
}

export const handler: Handler = async (request) => (await openOnce()).handler(request);
