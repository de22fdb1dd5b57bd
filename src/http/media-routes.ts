import {
  type CreateUpload,
  createUploadSchema,
  deleteMediaSchema,
  hostedMediaSchema,
  type ListMedia,
  listMediaSchema,
  mediaUploadSchema,
  uploadByUrlSchema,
} from "../hosting/schema.ts";
import { parseInput } from "../wire/parse.ts";
import type { Call, Route } from "./route.ts";
import { paged, reads } from "./route-kinds.ts";

/** The routes of uploaded files. The files themselves lie elsewhere, and need no key. */
export const mediaRoutes: readonly Route[] = [
  {
    ...reads("/v1/media", "listMedia", "List uploaded files, newest first"),
    query: listMediaSchema,
    data: hostedMediaSchema,
    isList: true,
    errors: [],
    run: async ({ modules, query }: Call<ListMedia, never>) => paged(await modules.media.list(query)),
  },
  {
    ...reads("/v1/media", "uploadMedia", "Upload an image or video, or have it fetched from a URL"),
    method: "POST",
    scope: "publish",
    body: {
      schema: uploadByUrlSchema,
      isRequired: true,
      example: { url: "https://media.sandbox.example/hills.png" },
      mayBeFile: true,
    },
    status: 201,
    data: hostedMediaSchema,
    errors: ["conflict", "unsupported"],
    async run({ modules, body, file }: Call<never, unknown>) {
      return { data: await modules.media.upload(file ?? parseInput(uploadByUrlSchema, body)) };
    },
  },
  {
    ...reads("/v1/media", "deleteMedia", "Delete an uploaded file"),
    method: "DELETE",
    scope: "publish",
    query: deleteMediaSchema,
    status: 204,
    data: null,
    errors: ["not_found", "conflict", "unsupported"],
    async run({ modules, query }: Call<{ url: string }, never>) {
      await modules.media.delete(query.url);
      return { data: null };
    },
  },
  {
    ...reads("/v1/media/uploads", "createMediaUpload", "Create a signed URL for a direct upload to the media store"),
    method: "POST",
    scope: "publish",
    body: {
      schema: createUploadSchema,
      isRequired: true,
      example: { filename: "hills.mp4", content_type: "video/mp4", size_bytes: 12_345_678 },
    },
    status: 201,
    data: mediaUploadSchema,
    errors: ["unsupported"],
    run: async ({ modules, body }: Call<never, CreateUpload>) => ({ data: await modules.media.createUpload(body) }),
  },
];
