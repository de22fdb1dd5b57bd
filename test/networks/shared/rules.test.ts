import { expect, it } from "vitest";
import type { Part, PlanInput } from "../../../src/networks/contract/plan.ts";
import { firstGiven, rulesOf } from "../../../src/networks/shared/rules.ts";
import { limits } from "../../../src/networks/x/limits.ts";
import { somebody } from "../../support/profile-facts.ts";

interface Options {
  loud?: boolean | undefined;
  poll?: string | undefined;
}

const { rule, problemAt } = rulesOf<Options>("toy");

const post: Part<Options> = { text: "", media: [], link: null, title: null, post_type: "post", options: {} };
const input: PlanInput<Options> = { ...post, thread: null, auto_thread: false, options: {} };

function problemOf(options: Options) {
  const noShouting = rule("unsupported", (plan) =>
    plan.post.options.loud === true ? problemAt("loud", "Toy is quiet.") : null,
  );
  const parts = [{ ...post, options }, post];
  return noShouting.check({ input, parts, spec: limits, profile: somebody });
}

it("a rule judges the part that goes out first", () => {
  expect(problemOf({})).toBeNull();
  expect(problemOf({ loud: true })).toEqual({ field: "networks.toy.loud", message: "Toy is quiet." });
});

it("an option that is false counts as given, and an undefined one does not", () => {
  expect(firstGiven<keyof Options>({ loud: undefined, poll: "a" }, ["loud", "poll"])).toBe("poll");
  expect(firstGiven<keyof Options>({ loud: false, poll: "a" }, ["loud", "poll"])).toBe("loud");
  expect(firstGiven<keyof Options>({}, ["loud", "poll"])).toBeUndefined();
});
