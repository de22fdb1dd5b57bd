// The demo runs in a clone alone and shows every network that the project
// simulates and that takes a text with a picture, or without. How an account comes to be on each is said once, in its scene for
// the tests; a list here would have to be kept beside it.
import { scenes as all } from "../../test/networks/scenes.ts";

export type { Scene } from "../../test/networks/scene.ts";
export { sceneOf } from "../../test/networks/scenes.ts";

export const scenes = all.filter(({ needs }) => needs === undefined);
