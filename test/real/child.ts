import { type ChildProcess, spawn } from "node:child_process";
import { type BuiltProgram, buildProgram } from "../support/built-programs.ts";
import { root } from "../support/documents.ts";

/** Built once for all processes of a test file. */
const built = new Map<string, Promise<BuiltProgram>>();

/** Starts a script of this folder with one argument, as JSON. */
export async function startChild(script: string, errand: object): Promise<ChildProcess> {
  const { path } = await (built.get(script) ?? build(script));
  return spawn(process.execPath, [path, JSON.stringify(errand)], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

function build(script: string): Promise<BuiltProgram> {
  const building = buildProgram(new URL(script, import.meta.url));
  built.set(script, building);
  building.then(
    ({ remove }) => process.once("exit", remove),
    () => built.delete(script),
  );
  return building;
}
