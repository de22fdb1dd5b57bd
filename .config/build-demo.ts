/** For `npm run demo`. */
import { fileURLToPath } from "node:url";
import { buildDemo } from "../test/support/built-programs.ts";

await buildDemo(fileURLToPath(new URL("../node_modules/.cache/postrider-demo", import.meta.url)));
