import { after } from "next/server";
import { createSocialService } from "postrider";
import { createHandler, type Handler } from "postrider/http";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

/** Simulated networks and memory storage. In production, use a real storage and no sandbox. */
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
 * One service for the whole server: Next.js loads this file once for every
 * bundle it is in, and again whenever it changes. Loading the file starts nothing,
 * so a build starts nothing either. `instrumentation.ts` starts the service.
 */
const shared = globalThis as { social?: ReturnType<typeof open> };

export function openOnce() {
  shared.social ??= open();
  return shared.social;
}

export const handler: Handler = async (request) => (await openOnce()).handler(request);
