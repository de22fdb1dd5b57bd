import { expect, it } from "vitest";
import { demoClock } from "../../examples/demo/clock.ts";
import { systemClock } from "../../src/ports/clock.ts";

/** Longer than Node's longest timer, beyond which it fires immediately, again and again. */
const longMs = 45 * 86_400_000;

it.each([
  ["the machine's clock", systemClock],
  ["the demo's clock, at the machine's speed", demoClock([])],
])("a wait of weeks is one timer: %s", async (_, clock) => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", note);
  const cancel = new AbortController();
  const waited = clock.sleep(longMs, cancel.signal);
  await new Promise((resolve) => setImmediate(resolve));
  cancel.abort(new Error("That will do."));
  await expect(waited).rejects.toThrow("That will do.");
  process.off("warning", note);
  expect(warnings).toEqual([]);
});
