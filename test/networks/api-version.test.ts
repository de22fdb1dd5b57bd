import { describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { withApiVersion } from "../../src/networks/contract/api-version.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { recordingLogger } from "../support/logger.ts";
import { createTestService } from "../support/service.ts";
import { fakeAdapter } from "./fake-network.ts";

const dayMs = 86_400_000;
const endOfOld = Date.parse("2028-07-29");

/** A network whose old version ends on 2028-07-29, and whose new one has no end. */
function versioned({ apiVersion }: { apiVersion?: string } = {}): NetworkAdapter {
  const plain = fakeAdapter();
  const spec = { ...plain.spec, api_version: "v26.0", versions: { "v26.0": null, "v25.0": "2028-07-29" } };
  return { ...plain, spec: withApiVersion(spec, apiVersion) };
}

function serviceAt(now: number, logger: Logger, apiVersion?: string) {
  const networks = [versioned(apiVersion === undefined ? {} : { apiVersion })];
  return createTestService({ clock: manualClock(now), logger, networks });
}

describe("the setting apiVersion", () => {
  it("defaults to the spec's own version", () => {
    expect(versioned().spec.api_version).toBe("v26.0");
  });

  it("accepts each version that the spec lists", () => {
    expect(versioned({ apiVersion: "v25.0" }).spec.api_version).toBe("v25.0");
  });

  it.each([
    ["a version that the spec does not list", "v24.0", 'the string "v24.0"'],
    ["a name that every object has", "toString", 'the string "toString"'],
    ["a number", 26, "the number 26"],
  ])("rejects %s, and names the valid versions", (_, apiVersion, came) => {
    expect(() => versioned({ apiVersion: apiVersion as string })).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: `mastodon: invalid options. apiVersion: Must be "v26.0" or "v25.0", not ${came}.`,
        details: [expect.objectContaining({ field: "apiVersion" })],
      }),
    );
  });
});

describe("an API version that ends", () => {
  it("causes a warning from 90 days before its end", () => {
    const early = recordingLogger();
    serviceAt(endOfOld - 91 * dayMs, early, "v25.0");
    expect(early.lines).toEqual([]);

    const late = recordingLogger();
    serviceAt(endOfOld - 90 * dayMs, late, "v25.0");
    expect(late.lines).toEqual([
      expect.stringMatching(/^warn the API version v25\.0 of mastodon ends on 2028-07-29: /),
    ]);
  });

  it("causes an error from its last day on", () => {
    const logger = recordingLogger();
    serviceAt(endOfOld, logger, "v25.0");
    expect(logger.lines).toEqual([
      expect.stringMatching(/^error the API version v25\.0 of mastodon ended on 2028-07-29: /),
    ]);
  });

  it("causes no warning if it is not used", () => {
    const logger = recordingLogger();
    serviceAt(endOfOld, logger);
    expect(logger.lines).toEqual([]);
  });

  it("causes one warning a day in a long-running process", async () => {
    const logger = recordingLogger();
    const { social, clock } = serviceAt(endOfOld - 2.5 * dayMs, logger, "v25.0");
    await social.start();
    await clock.advance(3.5 * dayMs);
    await social.stop();
    expect(logger.lines.map((line) => line.split(" ")[0])).toEqual(["warn", "warn", "warn", "error"]);
  });

  it("is shown by networks.list()", () => {
    const [shown] = serviceAt(endOfOld, recordingLogger(), "v25.0").social.networks.list();
    expect(shown).toMatchObject({
      api_version: "v25.0",
      sunset_at: "2028-07-29",
      versions: { "v26.0": null, "v25.0": "2028-07-29" },
    });
  });
});

it("networks.list() shows a network's price with its month, and none if it is unknown", () => {
  const { spec } = versioned();
  const cost = [{ for: "post", usd: 0.015, as_of: "2026-08" }] as const;
  const [shown] = createTestService({
    networks: [{ ...fakeAdapter(), spec: { ...spec, cost } }],
  }).social.networks.list();
  expect(shown?.cost).toEqual(cost);
  expect(serviceAt(endOfOld, recordingLogger()).social.networks.list()[0]?.cost).toEqual([]);
});
