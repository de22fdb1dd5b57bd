/**
 * Writes `test/media/fixtures/`: small files of every kind from real encoders,
 * and `test/media/located/`: files with a location. Needs ffmpeg, heif-enc,
 * avifenc, cwebp, webpmux, convert, exiftool and exiv2 (Debian:
 * ffmpeg libheif-examples libavif-bin webp imagemagick libimage-exiftool-perl exiv2).
 * `npx tsx test/media/make-fixtures.ts`
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));

const picture = (rate = "25"): string[] => ["-f", "lavfi", "-i", `testsrc2=s=64x48:r=${rate}`];
const sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"];
const still = [...picture(), "-frames:v", "1"];
const video = [...picture(), ...sound, "-t", "0.4", "-c:a", "aac", "-c:v", "libx264"];
const silent = [...picture(), "-t", "0.4", "-c:v"];

/** Marks the video as HDR; readers do not notice that its images are not. */
const hdr = (transfer: "arib-std-b67" | "smpte2084"): string[] => [
  ...["-t", "0.2", "-pix_fmt", "yuv420p10le"],
  ...["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"],
];
const hevc = ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params"];
const h264 = (...how: string[]): string[] => [...silent, "libx264", ...how];
const plain = (seconds: number): string[] => ["-f", "lavfi", "-i", `color=s=64x48:r=60:d=${seconds}`];
/** Each frame at its own time, as from phones and screen recorders. */
const atOwnTime = ["-fps_mode", "vfr", "-enc_time_base", "1/90000", "-video_track_timescale", "90000"];
const stillScreen = [
  ...plain(12),
  ...["-vf", "select='if(lt(t,10),not(mod(n,120)),lt(t,10.5))'"],
  ...[...atOwnTime, "-c:v", "libx264", "-bf", "0"],
];

const made: Readonly<Record<string, readonly string[]>> = {
  "still.jpg": still,
  "still.png": still,
  "alpha.png": [...still, "-pix_fmt", "rgba"],
  "animated.png": [...picture(), "-frames:v", "5", "-f", "apng"],
  "still.gif": still,
  "animated.gif": [...picture(), "-frames:v", "4"],
  "lossy.webp": [...still, "-c:v", "libwebp"],
  "lossless.webp": [...still, "-c:v", "libwebp", "-lossless", "1", "-pix_fmt", "bgra"],
  "animated.webp": [...picture(), "-t", "0.2", "-c:v", "libwebp"],
  "still.avif": [...still, "-c:v", "libaom-av1", "-still-picture", "1"],
  "animated.avif": [...picture(), "-t", "0.2", "-c:v", "libaom-av1", "-cpu-used", "8"],
  "index-last.mp4": video,
  "index-first.mp4": [...video, "-movflags", "+faststart"],
  "fragmented.mp4": [...video, "-movflags", "frag_keyframe+empty_moov"],
  "silent.mp4": [...silent, "libx264"],
  // The minimum size of videos on networks.
  "large.mp4": ["-f", "lavfi", "-i", "color=s=640x360:r=25", "-t", "0.4", "-c:v", "libx264", "-movflags", "+faststart"],
  "hevc.mp4": [...picture("30000/1001"), "-t", "0.4", "-c:v", "libx265", "-tag:v", "hvc1"],
  "av1.mp4": [...silent, "libaom-av1", "-cpu-used", "8"],
  "mp3.mp4": [...video, "-c:a", "libmp3lame", "-b:a", "64k"],
  "opus.mp4": [...video, "-c:a", "libopus"],
  "pcm.mov": [...video, "-c:a", "pcm_s16le", "-ar", "8000"],
  "prores.mov": [...silent, "prores_ks", "-profile:v", "0"],
  "vp9.webm": [...video, "-c:v", "libvpx-vp9", "-c:a", "libopus"],
  "vp8.webm": [...video, "-c:v", "libvpx", "-c:a", "libvorbis"],
  "av1.webm": [...silent, "libaom-av1", "-cpu-used", "8"],
  "h264.mkv": [...silent, "libx264"],
  "hlg.mov": [...picture(), ...hdr("arib-std-b67"), ...hevc, "log-level=none"],
  // With all fields that may precede the codec's own statement.
  "hlg.mp4": [
    ...[...picture(), ...hdr("arib-std-b67")],
    ...[...hevc, "log-level=none:transfer=arib-std-b67:scaling-list=default:bframes=8:ref=5:temporal-layers=2"],
  ],
  "hlg-h264.mp4": [...picture(), ...hdr("arib-std-b67"), "-c:v", "libx264", "-x264-params", "cqm=jvt"],
  "pq-vp9.mp4": [...picture(), ...hdr("smpte2084"), "-c:v", "libvpx-vp9"],
  "pq.webm": [...picture(), ...hdr("smpte2084"), "-c:v", "libvpx-vp9"],
  "pq.avif": [...still, ...hdr("smpte2084"), "-c:v", "libaom-av1", "-still-picture", "1"],
  "h264-444.mp4": h264("-pix_fmt", "yuv444p"),
  "h264-422.mkv": h264("-pix_fmt", "yuv422p10le"),
  "h264-10bit.mov": h264("-pix_fmt", "yuv420p10le"),
  "h264-lossless.mp4": h264("-pix_fmt", "yuv420p", "-qp", "0"),
  "h264-grey.mp4": h264("-pix_fmt", "gray"),
  "h264-baseline.mp4": h264("-profile:v", "baseline", "-pix_fmt", "yuv420p"),
  "hevc-10bit.mp4": [...silent, "libx265", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"],
  "hevc-422.mkv": [...silent, "libx265", "-pix_fmt", "yuv422p10le"],
  "av1-10bit.mp4": [...silent, "libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p10le"],
  "vp9-444.mp4": [...silent, "libvpx-vp9", "-pix_fmt", "yuv444p"],
  "surround.mp4": [...video, "-ac", "6", "-ar", "96000", "-b:a", "64k"],
  // 140 frames in 14 seconds, then 300 in five.
  "variable-rate.mp4": [
    ...plain(19),
    ...["-vf", "select='if(lt(n,840),not(mod(n,6)),1)',settb=1/90000,setpts='PTS+random(1)*600'"],
    ...[...atOwnTime, "-c:v", "libx264", "-bf", "0"],
  ],
  // A frame in two seconds, then sixty in one.
  "still-screen.mp4": stillScreen,
  "still-screen-fragmented.mp4": [...stillScreen, "-g", "10", "-movflags", "frag_keyframe+empty_moov"],
};

function ffmpeg(name: string, given: readonly string[]): void {
  execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...given, "-fflags", "+bitexact", `${folder}${name}`]);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, given] of Object.entries(made)) ffmpeg(name, given);
const turn = ["-c", "copy", "-metadata:s:v", "rotate=90"];
ffmpeg("turned.mp4", ["-i", `${folder}index-first.mp4`, ...turn]);
execFileSync("heif-enc", [`${folder}still.png`, "-o", `${folder}still.heic`]);
execFileSync("heif-enc", [`${folder}alpha.png`, "-o", `${folder}alpha.heic`]);

/** Another file, made from one of the fixtures. */
function derive(from: string, name: string): string {
  copyFileSync(`${folder}${from}`, `${folder}${name}`);
  return `${folder}${name}`;
}

const exiftool = ["-q", "-overwrite_original", "-n", "-IFD0:Orientation=6"];
execFileSync("exiftool", [...exiftool, derive("still.jpg", "turned.jpg")]);
execFileSync("exiftool", [...exiftool, "-ExifByteOrder=II", derive("still.png", "turned.png")]);
// In the text chunk that programs used before PNG had one for EXIF.
execFileSync("exiv2", ["-M", "set Exif.Image.Orientation Short 6", derive("still.png", "turned-by-text.png")]);
// ImageMagick puts EXIF after the pixels.
const withoutTimes = ["-define", "png:exclude-chunks=date,time"];
execFileSync("convert", [`${folder}turned.jpg`, ...withoutTimes, `${folder}turned-at-end.png`]);
const exif = `${folder}exif`;
writeFileSync(exif, execFileSync("exiftool", ["-b", "-Exif", `${folder}turned.jpg`]));
execFileSync("webpmux", ["-set", "exif", exif, `${folder}lossy.webp`, "-o", `${folder}turned.webp`]);
rmSync(exif);
const turnedAvif = ["--irot", "1", "--imir", "0", `${folder}still.png`, `${folder}turned.avif`];
execFileSync("avifenc", turnedAvif);
// EXIF says that it is rotated, its properties do not: decoders do not rotate it.
execFileSync("heif-enc", ["-A", `${folder}turned.jpg`, "-o", `${folder}exif-only.avif`]);

const locatedFolder = fileURLToPath(new URL("located/", import.meta.url));
rmSync(locatedFolder, { recursive: true, force: true });
mkdirSync(locatedFolder);

function tag(name: string, ...tags: string[]): void {
  execFileSync("exiftool", ["-q", "-overwrite_original", ...tags, `${locatedFolder}${name}`]);
}

const position = ["GPSLatitude=10.5", "GPSLatitudeRef=N", "GPSLongitude=20.25", "GPSLongitudeRef=E", "GPSAltitude=100"];
const xmp = [
  ...["XMP-exif:GPSLatitude=10.5", "XMP-exif:GPSLongitude=20.25", "XMP-photoshop:City=Faya"],
  ...["XMP-iptcCore:Location=Oasis", "XMP-iptcExt:LocationCreatedCity=Faya", "XMP-dc:Title=Kept"],
];
const camera = [...position, "EXIF:Make=Camera"];
const iptc = [
  "IPTC:City=Faya",
  "IPTC:Sub-location=Oasis",
  "IPTC:Country-PrimaryLocationName=Chad",
  "IPTC:Headline=Kept",
];
const assigned = (tags: readonly string[]): string[] => tags.map((each) => `-${each}`);
const pictures = ["still.jpg", "still.png", "lossy.webp", "animated.webp", "still.avif", "still.heic"];
for (const name of pictures) {
  copyFileSync(`${folder}${name}`, `${locatedFolder}${name}`);
  tag(name, ...assigned([...camera, ...xmp, ...(name === "still.jpg" ? iptc : [])]));
}
// Each value in a separate text, and all of them again in compressed texts.
const undated = ["-define", "png:exclude-chunk=date,time"];
execFileSync("convert", [`${locatedFolder}still.jpg`, ...undated, `${locatedFolder}texts.png`]);
const located = ["-c", "copy", "-metadata", "location=+10.5000+020.2500/", "-fflags", "+bitexact"];
for (const name of ["silent.mp4", "av1.webm", "h264.mkv"]) {
  execFileSync("ffmpeg", ["-loglevel", "error", "-i", `${folder}${name}`, ...located, `${locatedFolder}${name}`]);
}
copyFileSync(`${folder}prores.mov`, `${locatedFolder}prores.mov`);
const place = "GPSCoordinates=10.5, 20.25, 100";
const keys = ["Keys:LocationName=Faya", "Keys:LocationAccuracyHorizontal=5", "Keys:Title=Kept"];
const phone = [`Keys:${place}`, `UserData:${place}`, `ItemList:${place}`, ...keys, "XMP-exif:GPSLatitude=10.5"];
tag("prores.mov", ...assigned(phone));
// A video after an image, as from phones.
copyFileSync(`${locatedFolder}still.jpg`, `${locatedFolder}motion.jpg`);
const behind = readFileSync(`${locatedFolder}silent.mp4`);
tag("motion.jpg", ...assigned(["XMP-GCamera:MicroVideo=1", `XMP-GCamera:MicroVideoOffset=${behind.length}`]));
appendFileSync(`${locatedFolder}motion.jpg`, behind);
