// The demo runs in a clone alone and shows every network that the project
// simulates. How an account comes to be on each, and what a post needs there
// beside a text, is said once, in its scene for the tests; a list here would
// have to be kept beside it.
export type { Scene } from "../../test/networks/scene.ts";
export { sceneOf, scenes, withNeeds } from "../../test/networks/scenes.ts";
export { hostedFiles } from "../../test/support/hosted-files.ts";
