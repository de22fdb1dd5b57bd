import { createHandler, type Handler, type HandlerOptions } from "../../src/http/handler.ts";
import { type Ids, idPrefixes } from "../../src/ports/ids.ts";
import { createTestService, type TestService } from "../support/service.ts";

export const basePath = "/social";

/** A service with the objects that the cases name, and its handler. */
export interface MountWorld extends TestService {
  handler: Handler;
  /** A key with all scopes. */
  key: string;
  /** Another one, for the case that uses up its requests. */
  busyKey: string;
  profileId: string;
  /** A published post. */
  postId: string;
  draftId: string;
}

/** Creates the same world, to the byte, every time. */
export async function createMountWorld(
  options: Parameters<typeof createTestService>[0] & { handler?: HandlerOptions } = {},
): Promise<MountWorld> {
  const { handler: handlerOptions, ...serviceOptions } = options;
  const service = createTestService({ ids: countedIds(), ...serviceOptions });
  const { social, sandbox } = service;
  const account = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
  const credentials = { identifier: account.handle, app_password: account.password };
  const profile = await social.profiles.connect({ network: "bluesky", credentials });
  const post = await social.posts.create({ profile_ids: [profile.id], text: "The first one." });
  const draft = await social.posts.create({ profile_ids: [profile.id], text: "A draft.", draft: true });
  const [{ key }, { key: busyKey }] = [await social.keys.create(), await social.keys.create()];
  const handler = createHandler(social, { basePath, ...handlerOptions });
  return { ...service, handler, key, busyKey, profileId: profile.id, postId: post.id, draftId: draft.id };
}

function countedIds(): Ids {
  let count = 0;
  return {
    create: (kind) => `${idPrefixes[kind]}${String(++count).padStart(26, "0")}`,
    bytes(length) {
      count += 1;
      return Uint8Array.from({ length }, (_, place) => (count * 131 + place * 29) & 0xff);
    },
  };
}
