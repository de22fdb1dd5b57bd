import type { NetworkId } from "../contract/network-id.ts";
import type { Part } from "../contract/plan.ts";
import type { RuleInput, SpecRule } from "../contract/spec.ts";

/** What is wrong with a post; null: nothing. */
export type Problem = ReturnType<SpecRule["check"]>;

/** What a rule is asked about, and the part that goes out first. */
export interface RuledPost<Options> extends RuleInput<Options> {
  post: Part<Options>;
}

/** The words in which the rules of a network are written. */
export interface RuleWords<Options> {
  /** A check that a table cannot say. @param code what a post that breaks it is refused with */
  rule(code: SpecRule["code"], check: (post: RuledPost<Options>) => Problem): SpecRule<Options>;
  /** What is wrong with one of the network's options. @param path its name, and what is within it: `poll.options` */
  problemAt(path: string, message: string): Exclude<Problem, null>;
}

export function rulesOf<Options>(network: NetworkId): RuleWords<Options> {
  return {
    rule: (code, check) => ({
      code,
      check: (plan) => (plan.parts[0] === undefined ? null : check({ ...plan, post: plan.parts[0] })),
    }),
    problemAt: (path, message) => ({ field: `networks.${network}.${path}`, message }),
  };
}

/** The first of these options that was given; undefined: none was. */
export function firstGiven<Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => options[name] !== undefined);
}
