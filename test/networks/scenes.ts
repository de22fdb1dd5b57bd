import type { CreatePost } from "../../src/posts/schema.ts";
import type { MediaHost } from "../../src/sandbox/media-host.ts";
import { simulations } from "../../src/sandbox/networks.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { jpeg } from "../media/samples.ts";
import type { NetworkName, Readers, Scene } from "./scene.ts";

/** Whatever is tried on all networks is tried on these: `<network>/scene.ts` of each that is simulated. */
export const scenes: readonly Scene[] = await Promise.all(Object.keys(simulations).map(readScene));

async function readScene(network: string): Promise<Scene> {
  const { scene }: { scene: Scene } = await import(`./${network}/scene.ts`);
  return scene;
}

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

type Overrides = NonNullable<CreatePost["networks"]>;

/** `overrides`, and for those among these networks on which a text alone is no post, the file that makes it one. */
export function withNeeded(
  networks: Iterable<string>,
  media: Pick<MediaHost, "put">,
  overrides: Overrides = {},
): Overrides {
  const needy = [...new Set(networks)].filter((network) => sceneOf(network).needs !== undefined);
  if (needy.length === 0) return overrides;
  const url = media.put("needed.jpg", jpeg(8, 8), { contentType: "image/jpeg" });
  const needed = needy.map((network) => [network, { ...overrides[network], media: [{ url, alt: "A square." }] }]);
  return { ...overrides, ...Object.fromEntries(needed) };
}
