/** Codecs by ffprobe's names; if a family has several, the shortest. */

/** Types of sample entries (https://mp4ra.org/registered-types/sampleentries; QuickTime File Format). */
const sampleEntries: Readonly<Record<string, string>> = {
  avc1: "h264",
  avc3: "h264",
  hvc1: "hevc",
  hev1: "hevc",
  dvh1: "hevc",
  dvhe: "hevc",
  vvc1: "vvc",
  vvi1: "vvc",
  av01: "av1",
  vp08: "vp8",
  vp09: "vp9",
  mp4v: "mpeg4",
  s263: "h263",
  h263: "h263",
  apch: "prores",
  apcn: "prores",
  apcs: "prores",
  apco: "prores",
  ap4h: "prores",
  ap4x: "prores",
  jpeg: "mjpeg",
  mjpa: "mjpeg",
  mjpb: "mjpeg",
  mp4a: "aac",
  Opus: "opus",
  fLaC: "flac",
  "ac-3": "ac3",
  "ec-3": "eac3",
  ".mp3": "mp3",
  "ms\0U": "mp3",
  samr: "amr",
  sawb: "amr",
  sowt: "pcm",
  twos: "pcm",
  lpcm: "pcm",
  ipcm: "pcm",
  fpcm: "pcm",
  in24: "pcm",
  in32: "pcm",
  fl32: "pcm",
  fl64: "pcm",
};

/** Codecs in `mp4a` and `mp4v` (https://mp4ra.org/registered-types/object-types). */
const objectTypes: Readonly<Record<number, string>> = {
  32: "mpeg4",
  64: "aac",
  96: "mpeg2video",
  97: "mpeg2video",
  98: "mpeg2video",
  99: "mpeg2video",
  100: "mpeg2video",
  101: "mpeg2video",
  102: "aac",
  103: "aac",
  104: "aac",
  105: "mp3",
  106: "mpeg1video",
  107: "mp3",
  108: "mjpeg",
  165: "ac3",
  166: "eac3",
  169: "dts",
  173: "opus",
  221: "vorbis",
};

/** Codec ids of Matroska (https://www.matroska.org/technical/codec_specs.html); for a family, the prefix. */
const matroskaIds: readonly (readonly [start: string, name: string])[] = [
  ["V_MPEG4/ISO/AVC", "h264"],
  ["V_MPEGH/ISO/HEVC", "hevc"],
  ["V_MPEGI/ISO/VVC", "vvc"],
  ["V_MPEG4/ISO/", "mpeg4"],
  ["V_MPEG2", "mpeg2video"],
  ["V_MPEG1", "mpeg1video"],
  ["V_PRORES", "prores"],
  ["A_AAC", "aac"],
  ["A_MPEG/L3", "mp3"],
  ["A_MPEG/L2", "mp2"],
  ["A_PCM/", "pcm"],
];

/** The codec of a sample entry; `objectType` decides if the entry has several codecs. */
export function sampleEntryCodec(type: string, objectType: number | null): string {
  const named = objectType === null ? undefined : objectTypes[objectType];
  return named ?? sampleEntries[type] ?? shown(type);
}

export function matroskaCodec(id: string): string {
  const named = matroskaIds.find(([start]) => id.startsWith(start))?.[1];
  return named ?? shown(id.replace(/^[VA]_/, ""));
}

/** A name from an untrusted file, made safe for a message. */
function shown(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9_./-]+/g, "")
      .slice(0, 32) || "unknown"
  );
}
