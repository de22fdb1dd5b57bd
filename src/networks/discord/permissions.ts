import * as z from "zod";
import type { LoginContext } from "../contract/request.ts";
import { endpoint, readAnswer } from "./api.ts";

/** https://docs.discord.com/developers/topics/permissions (2026-08) */
const bits = {
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
} as const;

export type Permission = keyof typeof bits;

const administrator = 1n << 3n;

const permissionBits = z.string().regex(/^\d{1,40}$/);

/** Same source. */
const manageGuild = 1n << 5n;

/** @param permissions a user's permissions in a server, as Discord writes them */
export function isManager(permissions: string): boolean {
  const parsed = permissionBits.safeParse(permissions);
  return parsed.success && (BigInt(parsed.data) & (manageGuild | administrator)) !== 0n;
}

export const overwritesSchema = z.array(z.object({ id: z.string(), allow: permissionBits, deny: permissionBits }));

const guildSchema = z.object({
  name: z.string(),
  icon: z.string().nullish(),
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: permissionBits })),
});

const memberSchema = z.object({ roles: z.array(z.string()) });

export interface Access {
  guild: { name: string; icon: string | null };
  permissions: Permission[];
}

/** Reads a bot's permissions in a channel: those of its roles in the server, then the channel's own overwrites. */
export async function readAccess(
  context: Pick<LoginContext, "request">,
  place: { guildId: string; userId: string; overwrites: z.infer<typeof overwritesSchema> },
  headers: Readonly<Record<string, string>> = {},
): Promise<Access> {
  const { guildId, userId, overwrites } = place;
  const guildAnswer = await context.request({ method: "GET", url: endpoint(["guilds", guildId]), headers });
  const guild = readAnswer(guildSchema, guildAnswer);
  const memberUrl = endpoint(["guilds", guildId, "members", userId]);
  const member = readAnswer(memberSchema, await context.request({ method: "GET", url: memberUrl, headers }));
  const granted = grantedBits({ guildId, userId, overwrites, guild, memberRoles: member.roles });
  const names = Object.keys(bits) as Permission[];
  return {
    guild: { name: guild.name, icon: guild.icon ?? null },
    permissions: names.filter((name) => (granted & bits[name]) !== 0n),
  };
}

interface Grounds {
  guildId: string;
  userId: string;
  overwrites: z.infer<typeof overwritesSchema>;
  guild: z.infer<typeof guildSchema>;
  memberRoles: readonly string[];
}

/** https://docs.discord.com/developers/topics/permissions, "Permission Overwrites" (2026-08). The role @everyone has the server's id. */
function grantedBits({ guildId, userId, overwrites, guild, memberRoles }: Grounds): bigint {
  const everything = -1n;
  if (guild.owner_id === userId) return everything;
  const own = guild.roles.filter(({ id }) => id === guildId || memberRoles.includes(id));
  const base = own.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  if ((base & administrator) !== 0n) return everything;
  const groups = [
    overwrites.filter(({ id }) => id === guildId),
    overwrites.filter(({ id }) => memberRoles.includes(id)),
    overwrites.filter(({ id }) => id === userId),
  ];
  const granted = groups.reduce((sum, group) => {
    const denied = group.reduce((all, { deny }) => all | BigInt(deny), 0n);
    const allowed = group.reduce((all, { allow }) => all | BigInt(allow), 0n);
    return (sum & ~denied) | allowed;
  }, base);
  // Without access to a channel no other permission applies.
  return (granted & bits.VIEW_CHANNEL) === 0n ? 0n : granted;
}
