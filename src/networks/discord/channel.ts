/** What kind of channel a profile posts into, as `known.channel_type` keeps it. */
export type ChannelType = "text" | "announcement" | "forum" | "media";

/** 16 is in the documentation, not in the OpenAPI. https://docs.discord.com/developers/resources/channel (2026-08) */
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

/** Null where posts cannot go. */
export function channelTypeOf(type: number): ChannelType | null {
  return publishable.get(type) ?? null;
}

/** For humans. */
export function channelTypeName(type: number): string {
  return publishable.get(type) ?? others.get(type) ?? `type ${type}`;
}
