import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, AccountLists } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";

/** Lists in which a missing part counts only if they are known to show parts of its kind, or have shown one. */
export function listsThatShow<Options>(own: {
  /** True: the list is known to show parts of this kind. */
  isKnown(input: CommitInput<Options>): boolean;
  /** `AccountList.name`. */
  nameOf(input: CommitInput<Options>): string;
  /** Reads the list, at least far enough to show a part that was just published. Null: the credentials do not allow it. */
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
