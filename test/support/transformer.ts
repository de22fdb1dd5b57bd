import type { MediaTools } from "../../src/media/fit/fit.ts";
import type { ImageChange, MediaTransformer } from "../../src/media/transform/transformer.ts";
import { jpeg } from "../media/samples.ts";

const pictures = ["jpeg", "png", "gif", "webp", "avif", "heic", "heif"].map((kind) => `image/${kind}`);
const videos = ["mp4", "quicktime", "webm", "matroska"].map((kind) => `video/${kind}`);

/** Reads whatever is taken. */
export const everyTool: MediaTools = { image: pictures, video: videos };

/** Makes a picture of the size that is asked for, and remembers what it was asked. */
export interface FakeTransformer extends MediaTransformer {
  asked: readonly ImageChange[];
}

export function fakeTransformer({ version = "1" }: { version?: string } = {}): FakeTransformer {
  const asked: ImageChange[] = [];
  return {
    makes: "image",
    reads: pictures,
    asked,
    version: async () => `fake ${version}`,
    async transform(source, change) {
      if (change.kind !== "image") throw new Error("Only pictures are made here.");
      asked.push(change);
      const read = await new Response(await source.read()).arrayBuffer();
      if (read.byteLength !== source.size_bytes) throw new Error("The source is shorter than was said.");
      const bytes = jpeg(change.width, change.height);
      return { body: new Blob([Buffer.from(bytes)]).stream(), size_bytes: bytes.length };
    },
  };
}
