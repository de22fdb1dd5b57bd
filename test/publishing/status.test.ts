import { describe, expect, it } from "vitest";
import { type PostStatus, type TargetStatus, targetStatuses } from "../../src/publishing/schema.ts";
import { isOpen, statusFromTargets } from "../../src/publishing/status.ts";

describe("a target", () => {
  it("is open until it has settled", () => {
    expect(targetStatuses.filter(isOpen)).toEqual(["pending", "publishing"]);
  });
});

describe("the status of a started post", () => {
  it.each<[TargetStatus[], PostStatus]>([
    [["published"], "published"],
    [["published", "published"], "published"],
    [["failed"], "failed"],
    [["failed", "failed"], "failed"],
    [["published", "failed"], "partially_published"],
    [["failed", "published", "failed"], "partially_published"],
    [["publishing"], "publishing"],
    [["pending"], "publishing"],
    [["published", "publishing"], "publishing"],
    [["failed", "pending"], "publishing"],
    [["skipped", "publishing"], "publishing"],
    [["skipped"], "cancelled"],
    [["skipped", "skipped"], "cancelled"],
    [["skipped", "published"], "published"],
    [["skipped", "failed"], "failed"],
    [["skipped", "published", "failed"], "partially_published"],
  ])("with targets %j is %s", (targets, expected) => {
    expect(statusFromTargets(targets)).toBe(expected);
    expect(statusFromTargets([...targets].reverse())).toBe(expected);
  });
});
