import type { NetworkId } from "../contract/network-id.ts";
import type { Part } from "../contract/plan.ts";
import type { RuleInput, SpecRule } from "../contract/spec.ts";

/** A problem of a post. Null: none. */
export type Problem = ReturnType<SpecRule["check"]>;

/** The input of a rule, with the first part. */
export interface RuledPost<Options> extends RuleInput<Options> {
  post: Part<Options>;
}

/** Helpers to write a network's rules. */
export interface RuleWords<Options> {
  /** A check that a table cannot express. @param code the error code of a post that breaks it */
  rule(code: SpecRule["code"], check: (post: RuledPost<Options>) => Problem): SpecRule<Options>;
  /** A problem with one of the network's options. @param path the option's name, and the field within it: `poll.options` */
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

/** The first of these options that was given. Undefined: none was. */
export function firstGiven<Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => options[name] !== undefined);
}
