import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { certifiedName } from "./trusting-fetch.ts";

const program = "/usr/bin/chromium";

/** Names that stand for this machine in a browser of a test; no other name is found. */
const names = ["localhost", "127.0.0.1"];
/** And one that looks like any other. */
const publicName = `MAP ${certifiedName} 127.0.0.1`;

/** It has no windows, nothing of an earlier run, and reaches this machine alone. */
const flags = [
  ...["--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  `--host-resolver-rules=${publicName}, MAP * ~NOTFOUND, ${names.map((name) => `EXCLUDE ${name}`).join(", ")}`,
];

/** @returns the reason when there can be none here, which is printed as well */
export async function startChromium(): Promise<Browser | string> {
  if (existsSync(program)) return chromium.launch({ executablePath: program, args: flags });
  const reason = `There is no ${program} on this machine (apt-get install chromium): no page is tried in a browser.`;
  console.warn(reason);
  return reason;
}
