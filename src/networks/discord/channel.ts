/** The kind of channel that a profile posts into, stored as `account_facts.channel_type`. */
export type ChannelType = "text" | "announcement" | "forum" | "media";

/** 16 is in the documentation, but not in the OpenAPI document. https://docs.discord.com/developers/resources/channel (2026-08) */
const publishable: ReadonlyMap<number, ChannelType> = new Map([
  [0, "text"],
  [5, "announcement"],
  [15, "forum"],
  [16, "media"],
]);

const others: ReadonlyMap<number, string> = new Map([
  [1, "direct message"],
  [2, "voice"],
  [3, "group message"],
  [4, "category"],
  [10, "thread"],
  [11, "thread"],
  [12, "private thread"],
  [13, "stage"],
  [14, "directory"],
]);

/** Null: the channel accepts no posts. */
export function channelTypeOf(type: number): ChannelType | null {
  return publishable.get(type) ?? null;
}

/** The name of a channel type, for humans. */
export function channelTypeName(type: number): string {
  return publishable.get(type) ?? others.get(type) ?? `type ${type}`;
}
