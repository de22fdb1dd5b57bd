import { rulesOf } from "../shared/rules.ts";
import { readKnown } from "./known.ts";
import type { YoutubeOptions } from "./options.ts";
import { mayComment, mayEdit } from "./scopes.ts";

const { rule, problemAt } = rulesOf<YoutubeOptions>("youtube");

/** https://developers.google.com/youtube/v3/docs/videos (2026-09): `invalidTitle`, `invalidDescription`. */
const noAngleBrackets = rule("invalid_request", ({ post: { title, text } }) => {
  const field = [title, text].findIndex((each) => /[<>]/.test(each ?? ""));
  if (field === -1) return null;
  return { field: field === 0 ? "title" : "text", message: "YouTube rejects < and > in titles and descriptions." };
});

/** https://docs.zernio.com/platforms/youtube (2026-11); that what divides them counts: (unconfirmed). */
const maxTagCharacters = 500;

const tagsTogether = rule("invalid_request", ({ post: { options } }) => {
  const { tags = [] } = options;
  const bad = tags.findIndex((tag) => /[<>,]/.test(tag));
  if (bad !== -1) return problemAt(`tags[${bad}]`, "YouTube rejects <, > and commas in a tag.");
  const length = tags.reduce((sum, tag) => sum + [...tag].length + (/\s/.test(tag) ? 2 : 0), tags.length - 1);
  if (length <= maxTagCharacters) return null;
  return problemAt("tags", `The tags have ${length} characters together; YouTube accepts ${maxTagCharacters}.`);
});

/** A channel without a verified phone number. https://docs.zernio.com/platforms/youtube (2026-11) */
const maxUnverifiedSeconds = 900;

const longVideos = rule("media_error", ({ input: { media }, profile }) => {
  if (readKnown(profile).takes_long_videos) return null;
  const index = media.findIndex(({ duration_seconds }) => (duration_seconds ?? 0) > maxUnverifiedSeconds);
  if (index === -1) return null;
  const message = `The channel accepts videos of at most ${maxUnverifiedSeconds / 60} minutes: for longer ones, verify a phone number at youtube.com/verify.`;
  return { field: `media[${index}]`, message };
});

/** https://support.google.com/youtube/answer/9527654 (2026-11) */
const noCommentsForKids = rule("unsupported", ({ post: { options } }) => {
  if (options.first_comment === undefined || !options.made_for_kids) return null;
  return problemAt("first_comment", "Videos that are made for children have no comments: leave out one of the two.");
});

const permissions = rule("reauthentication_required", ({ post: { options }, profile }) => {
  const { scopes } = readKnown(profile);
  const { first_comment, playlist_id } = options;
  const message = "The access token does not allow it: reconnect the channel, with the scope youtube.force-ssl.";
  if (first_comment !== undefined && !mayComment(scopes)) return problemAt("first_comment", message);
  if (playlist_id !== undefined && !mayEdit(scopes)) return problemAt("playlist_id", message);
  return null;
});

export const rules = [noAngleBrackets, tagsTogether, longVideos, noCommentsForKids, permissions];
