import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");

/** Starts a script of this folder with one argument, as JSON. */
export function startChild(script: string, errand: object): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", join(here, script), JSON.stringify(errand)], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
