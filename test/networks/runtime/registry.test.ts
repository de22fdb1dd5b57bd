import { describe, expect, it } from "vitest";
import { bluesky } from "../../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../../src/networks/contract/adapter.ts";
import { createRegistry } from "../../../src/networks/runtime/registry.ts";

function named(network: string): NetworkAdapter {
  const adapter = bluesky();
  return { ...adapter, spec: { ...adapter.spec, network } };
}

describe("the registry", () => {
  it("accepts a network with any well-formed id", () => {
    const registry = createRegistry([named("notes"), named("a".repeat(32)), named("constructor")]);
    expect(registry.get("notes")?.spec.network).toBe("notes");
    expect(registry.refusalOf("notes")).toBeNull();
    expect(registry.list().map(({ network }) => network)).toEqual(["notes", "a".repeat(32), "constructor"]);
  });

  it.each(["", "Notes", "my notes", "7notes", "_notes", "my-notes", "notes\n", "__proto__", "a".repeat(33)])(
    "rejects the id %j, and names the right form",
    (network) => {
      expect(() => createRegistry([named(network)])).toThrow(
        /spec\.network.* lower-case letters, digits and underscores/,
      );
    },
  );

  it("rejects a network that is given twice", () => {
    expect(() => createRegistry([named("notes"), named("notes")])).toThrow("networks: notes is listed twice.");
  });

  it("suggests a similar name for an unknown network", () => {
    const registry = createRegistry([named("notes"), bluesky()]);
    expect(registry.refusalOf("note")).toBe("The service has no such network; did you mean notes?");
    expect(registry.refusalOf("mastodon")).toBe("The service has no such network; known are notes and bluesky.");
    expect(registry.refusalOf("constructor")).toContain("no such network");
    expect(createRegistry([]).refusalOf("notes")).toBe("The service was created without any network.");
  });
});
