import { expect, it } from "vitest";
import type { NetworkSpec } from "../../networks/contract/spec.ts";

/** A URL, and the month in which it was read. */
export const sourcePattern = /^https:\/\/\S+ \(\d{4}-\d{2}\)/;

/**
 * Tests the requirements of every network's spec: each number has a source, and each version an end. Call it inside a
 * vitest file.
 */
export function specContract(spec: NetworkSpec): void {
  sourceContract(spec);
  versionContract(spec);
}

function sourceContract({ rules: _rules, sources, ...spec }: NetworkSpec): void {
  it.each(numberPaths(spec))("names the source of %s", (path) => {
    const covering = Object.keys(sources).filter((each) => path === each || path.startsWith(`${each}.`));
    expect(covering).not.toEqual([]);
  });

  it.each(Object.entries(sources))("has a URL, a month and a value for the source of %s", (path, source) => {
    expect(source).toMatch(sourcePattern);
    expect(valueAt(spec, path)).toBeDefined();
  });
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

function versionContract(spec: NetworkSpec): void {
  const ends = Object.entries(spec.versions).flatMap(([version, endsOn]) =>
    endsOn === null ? [] : [{ version, endsOn }],
  );

  it("uses an API version that it lists", () => {
    expect(Object.keys(spec.versions)).toContain(spec.api_version);
  });

  it.each(ends)("states the day on which the API version $version ends, with its source", ({ endsOn }) => {
    expect(endsOn).toMatch(datePattern);
    expect(Date.parse(endsOn)).not.toBeNaN();
    expect(Object.keys(spec.sources)).toContain("versions");
  });

  it.each(spec.cost ?? [])("states the month of the price for a $for", ({ as_of }) => {
    expect(as_of).toMatch(/^\d{4}-\d{2}$/);
  });
}

function numberPaths(value: unknown, path = ""): string[] {
  if (typeof value === "number") return [path];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, each]) => numberPaths(each, path === "" ? key : `${path}.${key}`));
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((each, key) => (each as Record<string, unknown> | undefined)?.[key], value);
}
