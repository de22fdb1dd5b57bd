import type { SpecRule } from "../contract/spec.ts";
import { readKnown } from "./known.ts";
import type { YoutubeOptions } from "./options.ts";
import { mayComment, mayEdit } from "./scopes.ts";

type Rule = SpecRule<YoutubeOptions>;

/** https://developers.google.com/youtube/v3/docs/videos (2026-09): `invalidTitle`, `invalidDescription`. */
const noAngleBrackets: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    if (first === undefined) return null;
    const field = [first.title, first.text].findIndex((text) => /[<>]/.test(text ?? ""));
    if (field === -1) return null;
    return { field: field === 0 ? "title" : "text", message: "YouTube takes no < and > in titles and descriptions." };
  },
};

/** https://docs.zernio.com/platforms/youtube (2026-11); that what divides them counts: (unconfirmed). */
const maxTagCharacters = 500;

const tagsTogether: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    const { tags = [] } = first?.options ?? {};
    const field = "networks.youtube.tags";
    const bad = tags.findIndex((tag) => /[<>,]/.test(tag));
    if (bad !== -1) return { field: `${field}[${bad}]`, message: "YouTube takes no <, > and comma in a tag." };
    const length = tags.reduce((sum, tag) => sum + [...tag].length + (/\s/.test(tag) ? 2 : 0), tags.length - 1);
    if (length <= maxTagCharacters) return null;
    return { field, message: `The tags have ${length} characters together; YouTube takes ${maxTagCharacters}.` };
  },
};

/** A channel without a verified phone number. https://docs.zernio.com/platforms/youtube (2026-11) */
const maxUnverifiedSeconds = 900;

const longVideos: Rule = {
  code: "media_error",
  check({ input: { media }, profile }) {
    if (readKnown(profile).takes_long_videos) return null;
    const index = media.findIndex(({ duration_seconds }) => (duration_seconds ?? 0) > maxUnverifiedSeconds);
    if (index === -1) return null;
    const message = `The channel takes videos of at most ${maxUnverifiedSeconds / 60} minutes: YouTube asks for a phone number first, at youtube.com/verify.`;
    return { field: `media[${index}]`, message };
  },
};

/** https://support.google.com/youtube/answer/9527654 (2026-11) */
const noCommentsForKids: Rule = {
  code: "unsupported",
  check({ parts: [first] }) {
    if (first?.options.first_comment === undefined || !first.options.made_for_kids) return null;
    const message = "Videos that are made for children have no comments: leave out one of the two.";
    return { field: "networks.youtube.first_comment", message };
  },
};

const permissions: Rule = {
  code: "reauthentication_required",
  check({ parts: [first], profile }) {
    if (first === undefined) return null;
    const { scopes } = readKnown(profile);
    const { first_comment, playlist_id } = first.options;
    const message = "The login does not allow it: connect the channel again, with the scope youtube.force-ssl.";
    if (first_comment !== undefined && !mayComment(scopes)) return { field: "networks.youtube.first_comment", message };
    if (playlist_id !== undefined && !mayEdit(scopes)) return { field: "networks.youtube.playlist_id", message };
    return null;
  },
};

export const rules: readonly Rule[] = [noAngleBrackets, tagsTogether, longVideos, noCommentsForKids, permissions];
