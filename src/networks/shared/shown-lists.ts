import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, AccountLists } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";

/** Lists of which those that are not known to show a part count once they have shown one like it. */
export function listsThatShow<Options>(own: {
  /** The list is known to show such a part. */
  isKnown(input: CommitInput<Options>): boolean;
  /** `AccountList.name`. */
  nameOf(input: CommitInput<Options>): string;
  /** The list, at least as far as a part goes back that has just gone out; null: this login may not read it. */
  read(context: NetworkContext, input: CommitInput<Options>): Promise<AccountList | null>;
}): AccountLists<Options> {
  return {
    names: (input) => (own.isKnown(input) ? [] : [own.nameOf(input)]),

    async showing(context, { id }, input) {
      const list = await own.read(context, input);
      return list?.posts.some(({ published }) => published.id === id) ? [list.name] : [];
    },
  };
}
