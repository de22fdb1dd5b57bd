import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, type SandboxRequest } from "../exchange.ts";
import { fetchedFile } from "../parts/fetched-file.ts";
import { readAs } from "../parts/fields.ts";
import { formatOf } from "../parts/uploads.ts";
import { wrongPost } from "./refusal.ts";

const date = z.strictObject({ year: z.int(), month: z.int().min(1).max(12), day: z.int().min(1).max(31) });
const time = z.strictObject({
  hours: z.int().min(0).max(23),
  minutes: z.int().min(0).max(59),
  seconds: z.int().min(0).max(59),
  nanos: z.int(),
});

/**
 * https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09); other fields are
 * rejected.
 */
const postSchema = z.strictObject({
  topicType: z.enum(["STANDARD", "EVENT", "OFFER"]),
  summary: z.string().min(1).max(1_500).optional(),
  languageCode: z.string().optional(),
  event: z
    .strictObject({
      title: z.string().min(1),
      schedule: z.strictObject({ startDate: date, startTime: time, endDate: date, endTime: time }),
    })
    .optional(),
  offer: z
    .strictObject({
      couponCode: z.string().optional(),
      redeemOnlineUrl: z.url().optional(),
      termsConditions: z.string().optional(),
    })
    .optional(),
  callToAction: z
    .strictObject({
      actionType: z.enum(["BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL"]),
      url: z.url().optional(),
    })
    .optional(),
  media: z
    .array(z.strictObject({ mediaFormat: z.enum(["PHOTO", "VIDEO"]), sourceUrl: z.url() }))
    .max(1)
    .optional(),
});

type Given = z.output<typeof postSchema>;

/** @throws Refusal */
export async function readLocalPost(request: SandboxRequest, fetchFile: typeof fetch): Promise<JsonObject> {
  const given = readAs(postSchema, jsonBody(request), ([issue]) => {
    const field = issue.path.join(".");
    return wrongPost(`Invalid value at '${field}'.`, field);
  });
  assertWhole(given);
  for (const { mediaFormat, sourceUrl } of given.media ?? []) {
    if (mediaFormat === "VIDEO") throw wrongPost("Video uploaded from post is not currently supported.");
    if (!(await isPhoto(fetchFile, sourceUrl))) throw wrongPost("Fetching image failed.");
  }
  return JSON.parse(JSON.stringify(given)) as JsonObject;
}

function assertWhole({ topicType, event, offer, callToAction, summary, media }: Given): void {
  if ((topicType !== "STANDARD") !== (event !== undefined)) throw wrongPost("event is required.", "event");
  if (offer !== undefined && topicType !== "OFFER") throw wrongPost("offer is not allowed.", "offer");
  if (summary === undefined && media === undefined && event === undefined) throw wrongPost("summary is required.");
  if (callToAction === undefined) return;
  if ((callToAction.actionType === "CALL") !== (callToAction.url === undefined))
    throw wrongPost("The call to action is invalid.", "call_to_action.url");
}

const minPhotoBytes = 10_240;
const maxPhotoBytes = 5_000_000;

/** Google does not follow redirects, as far as is known. */
async function isPhoto(fetchFile: typeof fetch, address: string): Promise<boolean> {
  const { bytes } = (await fetchedFile(fetchFile, address)) ?? { bytes: new Uint8Array() };
  const isSized = bytes.length >= minPhotoBytes && bytes.length <= maxPhotoBytes;
  return isSized && ["jpeg", "png"].includes(formatOf(bytes) ?? "");
}
