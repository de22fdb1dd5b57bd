import type { JsonObject } from "../../src/wire/json.ts";
import { blueskyScene } from "./bluesky/scene.ts";
import { discordScene } from "./discord/scene.ts";
import { mastodonScene } from "./mastodon/scene.ts";
import type { NetworkName, Readers, Scene } from "./scene.ts";

/** A row for each network: whatever is tried on all networks is tried on these. */
export const scenes: readonly Scene[] = [blueskyScene, mastodonScene, discordScene];

export function sceneOf(network: string): Scene {
  const scene = scenes.find((each) => each.network === network);
  if (scene === undefined) throw new Error(`no scene is for ${network}`);
  return scene;
}

/** For the networks among these that know who may see a post: the options that say it. */
export function optionsFor(networks: Iterable<string>, visibility: Readers): Partial<Record<NetworkName, JsonObject>> {
  const entries = [...new Set(networks)].flatMap((network) => {
    const options = sceneOf(network).simulation?.optionsFor?.(visibility);
    return options === undefined ? [] : [[network, options]];
  });
  return Object.fromEntries(entries);
}
