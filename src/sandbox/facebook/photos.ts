import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { fieldsOf, pulledAddress } from "../parts/graph-fields.ts";
import { pullFile } from "../parts/graph-files.ts";
import { formatOf } from "../parts/uploads.ts";
import { demand } from "./body.ts";
import type { SandboxPage } from "./pages.ts";
import type { Photo } from "./state.ts";

/** https://developers.facebook.com/docs/page-stories-api (2026-09) */
const maxBytes = 10_000_000;
/**
 * An unpublished photo is deleted after a day (unconfirmed). https://github.com/facebook/facebook-business-sdk-codegen
 * (2026-04)
 */
const lifeMs = 24 * 3_600_000;

/** Only unpublished photos are accepted here. https://developers.facebook.com/docs/pages-api/posts (2026-09) */
const photoSchema = z.strictObject({
  url: pulledAddress,
  published: z.literal("false"),
  alt_text_custom: z.string().optional(),
});

export interface Photos {
  upload(page: SandboxPage, request: SandboxRequest): Promise<SandboxAnswer>;
  /** Takes an unpublished photo of the Page, to publish it now. @throws Refusal */
  take(page: SandboxPage, id: string): Photo;
  /** The number of uploaded photos. */
  made(): number;
}

export function createPhotos({ clock, fetch }: SandboxPorts, nextId: () => string): Photos {
  const photos: Photo[] = [];
  return {
    async upload(page, request) {
      const { url, alt_text_custom = "" } = demand(photoSchema, await fieldsOf(request));
      const file = await pullFile(fetch, url, "image/");
      if (file === null) throw graphRefusal("324/2069019", "Missing or invalid image file");
      if (!["jpeg", "png"].includes(formatOf(file) ?? "") || file.length > maxBytes)
        throw graphRefusal("100/1366046", "Photos should be smaller than 4 MB and saved as JPG or PNG");
      const photo = { id: nextId(), page: page.id, alt: alt_text_custom, created_at: clock.now(), isUsed: false };
      photos.push(photo);
      return ok({ id: photo.id });
    },
    take(page, id) {
      const photo = photos.find((each) => each.id === id && each.page === page.id);
      const isThere = photo !== undefined && clock.now() < photo.created_at + lifeMs;
      if (!isThere) throw graphRefusal(100, `(#100) Invalid parameter: the photo ${id} does not exist`);
      if (photo.isUsed) throw graphRefusal("100/1366051", "These photos were already posted.");
      return photo;
    },
    made: () => photos.length,
  };
}
