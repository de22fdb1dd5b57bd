import type { CommitInput } from "../contract/commit.ts";
import { type MastodonOptions, visibilityOf } from "./options.ts";
import type { Status } from "./status.ts";

/** What the server left out or changed without a word, as far as its answer shows it. */
export function warningsFor(status: Status, input: CommitInput<MastodonOptions>): string[] {
  const { part, index, previous } = input;
  const { poll, language, spoiler_text, sensitive, quoted_status_id } = part.options;
  const visibility = visibilityOf(part.options, index);
  const attached = status.media_attachments?.length;
  const dropped: [boolean, string][] = [
    [
      status.visibility != null && status.visibility !== visibility,
      `The instance published it as ${status.visibility?.slice(0, 40)}, not as ${visibility}: delete it there if it must not be seen.`,
    ],
    [index === 0 && poll !== undefined && status.poll === null, "The instance left the poll out."],
    [
      language !== undefined && status.language !== undefined && !sameLanguage(status.language, language),
      `The instance ignored the language ${language}.`,
    ],
    [
      spoiler_text !== undefined && part.text.trim() !== "" && status.spoiler_text === "",
      "The instance left the content warning out.",
    ],
    [sensitive === true && status.sensitive === false, "The instance did not hide the files."],
    [index === 0 && quoted_status_id !== undefined && status.quote === null, "The instance left the quoted post out."],
    [
      previous !== null && status.in_reply_to_id === null,
      "The instance published it as a separate post, not as a reply.",
    ],
    [
      attached !== undefined && attached < part.media.length,
      `The instance attached ${attached} of ${part.media.length} files.`,
    ],
  ];
  return dropped.filter(([isDropped]) => isDropped).map(([, message]) => message);
}

/** `en` and `en-US` are the same to a server that knows no regions. */
function sameLanguage(given: string | null, wanted: string): boolean {
  return given !== null && given.split("-")[0]?.toLowerCase() === wanted.split("-")[0]?.toLowerCase();
}
