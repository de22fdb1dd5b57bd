import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Part } from "../networks/contract/plan.ts";
import { withFrozen } from "./files.ts";
import type { TargetRow } from "./rows.ts";

/**
 * A target's parts. They were stored with options that the schema had parsed;
 * parsed once more, they have the defaults that it has got since. Those that a
 * schema has come to refuse go out as they were accepted. From here on the
 * adapter takes their type as given.
 */
export function partsOf({ private: state }: TargetRow, { options }: Pick<NetworkAdapter, "options">): Part[] {
  return (state.parts ?? []).map((part) => ({
    ...withFrozen(part, state),
    options: options.safeParse(part.options).data ?? part.options,
  }));
}
