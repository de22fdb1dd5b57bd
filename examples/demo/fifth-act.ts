import type { CreatePost, HostedMedia, PostPlan } from "postrider";
import type sharpPackage from "sharp";
import { blank, headline, line, marked, say, whoLength } from "./screen.ts";
import { settled } from "./settled.ts";
import type { Stage } from "./stage.ts";

type PlannedFile = PostPlan["targets"][number]["media"][number];

type Sharp = typeof sharpPackage;

/** How fast time runs while nothing is asked. */
const speed = 60;

/** Photos that not every network takes are made to fit. True when each network has what it takes. */
export async function fifthAct({ social, profileIds, wire, hurry, clock }: Stage): Promise<boolean> {
  headline("5. Made to fit");
  wire.listen(() => {});
  const sharp = await import("sharp").then(
    ({ default: found }) => found,
    (error: unknown) => String(error),
  );
  if (typeof sharp === "string") {
    say("This act is left out: pictures are changed with sharp (npm install sharp), which cannot be loaded here.");
    line(sharp);
    blank();
    return true;
  }
  say("Two photos are uploaded: one of many bytes, and one in a format that not every network takes.");
  const files = [
    await social.media.upload(await largePhoto(sharp)),
    await social.media.upload(await photo(sharp, "avif", 600, 400)),
  ];
  const content = { text: "The fox has a plate of its own.", media: files.map(({ url }) => url) };
  const body = { ...content, profile_ids: await thoseThatTake({ social, profileIds }, content) };
  const { targets } = await social.posts.validate(body);
  for (const { network, media } of targets) {
    media.forEach((file, index) => void line(`${network.padEnd(whoLength)}${whatBecomesOf(file, index)}`));
  }
  blank();
  hurry.begin(speed);
  const post = await settled(await social.posts.create(body), { social, clock });
  hurry.end();
  const isOut = post.targets.every(({ status }) => status === "published");
  const changed = targets
    .flatMap(({ media }) => media)
    .filter(({ action }) => action === "jpeg" || action === "recompress");
  say(
    "Each file was made once and kept before the first request, so that whatever is repeated sends the same bytes. " +
      "What was uploaded is kept for good now; what was made of it goes in a day.",
  );
  const permanent = await Promise.all(files.map(({ url }: HostedMedia) => social.media.get(url)));
  const words = `${post.targets.length} networks have both photos, ${changed.length} files were changed for them.`;
  line(marked(isOut, words));
  blank();
  return isOut && changed.length > 0 && permanent.every(({ status }) => status === "permanent");
}

function whatBecomesOf({ action, before, after }: PlannedFile, index: number): string {
  const [words = action] = action.replace("_", " ").split(/[;,]/);
  const isChanged = after !== null && after.size_bytes !== before.size_bytes;
  const atMost = isChanged ? `, ${megabytes(after.size_bytes)} at most` : "";
  const { mime_type, width, height, size_bytes } = before;
  return `photo ${index + 1}, ${mime_type}, ${width} × ${height}, ${megabytes(size_bytes)}: ${words}${atMost}`;
}

function megabytes(bytes: number | null): string {
  return `${((bytes ?? 0) / 1_000_000).toFixed(1)} MB`;
}

/** More bytes than some network takes: grain is hard to compress. */
function largePhoto(sharp: Sharp): Promise<Buffer> {
  return photo(sharp, "jpeg", 2_400, 1_800);
}

/** Some networks have videos alone, or one photo, or want to know more than a text. */
async function thoseThatTake(
  { social, profileIds }: Pick<Stage, "social" | "profileIds">,
  content: Pick<CreatePost, "text" | "media">,
): Promise<string[]> {
  const { targets } = await social.posts.validate({ ...content, profile_ids: profileIds });
  return targets.filter(({ valid }) => valid).map(({ profile_id }) => profile_id);
}

/** A picture with grain, as a camera makes it at night. */
function photo(sharp: Sharp, format: "jpeg" | "avif", width: number, height: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: "#808080", noise } });
  // Without effort an AVIF takes 0.1 s in place of 5.
  return picture.toFormat(format, { quality: 90, effort: 0 }).toBuffer();
}
