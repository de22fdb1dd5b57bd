import { expect, it } from "vitest";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import { fixture, fixtureFacts } from "./fixtures.ts";

/** A file without a box about its colours. */
function withoutColr(name: string): Uint8Array {
  const bytes = Buffer.from(fixture(name));
  const at = bytes.indexOf("colr");
  bytes.write("free", at === -1 ? bytes.length : at);
  return new Uint8Array(bytes);
}

it.each(["hlg.mov", "hlg.mp4", "hlg-h264.mp4", "pq-vp9.mp4"])(
  "HDR follows from the codec data of %s if no box announces it",
  async (name) => {
    const bytes = withoutColr(name);
    expect(Buffer.from(bytes).equals(fixture(name))).toBe(false);
    expect(await probeMedia(bytesReader(bytes))).toMatchObject({ color_transfer: fixtureFacts[name]?.color_transfer });
  },
);

it("HDR follows from the codec data if the box leaves it unspecified", async () => {
  const bytes = Buffer.from(fixture("hlg.mov"));
  bytes.writeUInt16BE(2, bytes.indexOf("colrnclc") + 10);
  expect(await probeMedia(bytesReader(new Uint8Array(bytes)))).toMatchObject({ color_transfer: "hlg" });
  // BT.709, whatever the codec data say.
  bytes.writeUInt16BE(1, bytes.indexOf("colrnclc") + 10);
  expect(await probeMedia(bytesReader(new Uint8Array(bytes)))).not.toHaveProperty("color_transfer");
});

it.each(["hlg.mov", "hlg-h264.mp4", "pq-vp9.mp4"])("overwritten parameters of %s break nothing", async (name) => {
  const bytes = withoutColr(name);
  const [start = 0] = ["hvcC", "avcC", "vpcC"].map((box) => Buffer.from(bytes).indexOf(box)).filter((at) => at > 0);
  for (let at = start + 4; at < start + 80; at++) {
    const broken = bytes.slice();
    broken.fill(0, at, start + 200);
    await expect(probeMedia(bytesReader(broken))).resolves.toMatchObject({ type: "video" });
    broken.fill(0xff, at, start + 200);
    await expect(probeMedia(bytesReader(broken))).resolves.toMatchObject({ type: "video" });
  }
});
