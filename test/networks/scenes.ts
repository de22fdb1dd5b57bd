import type { CreatePost } from "../../src/posts/schema.ts";
import { simulations } from "../../src/sandbox/networks.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import type { NetworkName, Readers, Scene } from "./scene.ts";

/** A network on which the library publishes no posts. */
const inboxOnly: ReadonlySet<string> = new Set(["twitch"]);

/** The networks of all shared publishing tests: `<network>/scene.ts` of each simulated one. */
export const scenes: readonly Scene[] = await Promise.all(
  Object.keys(simulations)
    .filter((network) => !inboxOnly.has(network))
    .map(readScene),
);

async function readScene(network: string): Promise<Scene> {
  const { scene }: { scene: Scene } = await import(`./${network}/scene.ts`);
  return scene;
}

export function sceneOf(network: string): Scene {
  const scene = scenes.find((each) => each.network === network);
  if (scene === undefined) throw new Error(`no scene is for ${network}`);
  return scene;
}

/** The overrides for those of these networks that need more than a text, merged with their given overrides. */
export function withNeeds(
  networks: Iterable<string>,
  sandbox: Pick<Sandbox, "media">,
  said: CreatePost["networks"] = {},
): NonNullable<CreatePost["networks"]> {
  const entries = [...new Set(networks)].flatMap((network) => {
    const needed = sceneOf(network).needs?.(sandbox);
    return needed === undefined ? [] : [[network, { ...needed, ...said[network] }] as const];
  });
  return { ...said, ...Object.fromEntries(entries) };
}

/** A post's number of files there, if `files` files are requested. */
export function filesOn({ needs }: { needs?: unknown }, files: number): number {
  return needs === undefined ? files : 1;
}

/** The visibility options for those of these networks that have them. */
export function optionsFor(networks: Iterable<string>, visibility: Readers): Partial<Record<NetworkName, JsonObject>> {
  const entries = [...new Set(networks)].flatMap((network) => {
    const options = sceneOf(network).simulation?.optionsFor?.(visibility);
    return options === undefined ? [] : [[network, options]];
  });
  return Object.fromEntries(entries);
}
