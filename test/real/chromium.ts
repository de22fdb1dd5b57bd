import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { certifiedName } from "./trusting-fetch.ts";

const program = "/usr/bin/chromium";

/** Names that resolve to this machine in a browser of a test; no other name resolves. */
const names = ["localhost", "127.0.0.1"];
/** And one that looks like any other. */
const publicName = `MAP ${certifiedName} 127.0.0.1`;

/** Headless, without data of an earlier run, and with access to this machine only. */
const flags = [
  ...["--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  `--host-resolver-rules=${publicName}, MAP * ~NOTFOUND, ${names.map((name) => `EXCLUDE ${name}`).join(", ")}`,
];

/** @returns the reason when it cannot run here, which is printed as well */
export async function startChromium(): Promise<Browser | string> {
  if (existsSync(program)) return chromium.launch({ executablePath: program, args: flags });
  const reason = `There is no ${program} on this machine (apt-get install chromium): no page is tried in a browser.`;
  console.warn(reason);
  return reason;
}
