import { formatInPrivate } from "./codec-configuration.ts";
import { matroskaCodec } from "./codecs.ts";
import { transferOf } from "./color.ts";
import { type Element, float, ids, isContainer, readElement, unsigned } from "./ebml.ts";
import { formatDetails, knownDetails, type MediaFacts } from "./facts.ts";
import { type MediaReader, textAt } from "./reader.ts";
import { rateOf } from "./track.ts";

/** Of a whole file's head; a real one has about a hundred. */
const maxElements = 2_000;

/** Tracks that are looked at. */
const maxTracks = 64;

/** RFC 9559, section 5.1.2.9: nanoseconds per tick, unless the file says otherwise. */
const defaultTimestampScale = 1_000_000;

/** More frames a second are none: where a browser recorded a video, copies of it say that each lasts a tick, a millisecond. */
const maxRate = 240;

/** RFC 9559, section 5.1.4.1.29.1. */
const defaultSampleRate = 8_000;

/** Values of elements by their ids. */
type Values = Map<number, Uint8Array>;

interface Found {
  /** What stands outside tracks. */
  values: Values;
  tracks: Values[];
  /** All that stands before the first cluster was seen. */
  isWhole: boolean;
}

/** WebM and Matroska, as far as the head says. Null for sound alone and for other EBML documents. */
export async function probeWebm(head: MediaReader): Promise<MediaFacts | null> {
  const { values, tracks, isWhole } = await readHead(head);
  const docType = textAt(values.get(ids.docType) ?? new Uint8Array(), 0, 16).replace(/\0+$/, "");
  const mimeType = { webm: "video/webm", matroska: "video/matroska" }[docType];
  if (mimeType === undefined) return null;
  // The first of each kind is the one that is shown and heard.
  const video = tracks.find((track) => numberIn(track, ids.trackType) === 1);
  const sound = tracks.find((track) => numberIn(track, ids.trackType) === 2);
  if (tracks.length > 0 && video === undefined) return null;
  const turn = video === undefined ? 0 : Math.round(float(video.get(ids.projectionRoll)) ?? 0);
  const [width, height] = [ids.pixelWidth, ids.pixelHeight].map((id) => numberIn(video, id) || null);
  const isTurned = Math.abs(turn) === 90;
  return {
    type: "video",
    mime_type: mimeType,
    width: (isTurned ? height : width) ?? null,
    height: (isTurned ? width : height) ?? null,
    duration_seconds: durationOf(values),
    ...knownDetails({
      orientation: video === undefined ? null : (orientations[turn] ?? 1),
      codec: codecOf(video),
      ...formatDetails(formatInPrivate(video?.get(ids.codecPrivate), codecOf(video))),
      fps: rateIn(video),
      color_transfer: transferOf(numberIn(video, ids.transferCharacteristics)),
      has_audio: sound !== undefined ? true : isWhole && tracks.length > 0 ? false : null,
      audio_codec: codecOf(sound),
      audio_channels: sound === undefined ? null : (numberIn(sound, ids.channels) ?? 1),
      audio_sample_rate: sound === undefined ? null : (float(sound.get(ids.samplingFrequency)) ?? defaultSampleRate),
    }),
  };
}

/** Degrees against the clock by which the picture is turned → EXIF orientation (RFC 9559, section 5.1.4.1.28.46). */
const orientations: Readonly<Record<number, number>> = { 90: 8, 180: 3, [-180]: 3, [-90]: 6 };

function durationOf(values: Values): number | null {
  const scale = numberIn(values, ids.timestampScale) ?? defaultTimestampScale;
  const nanoseconds = (float(values.get(ids.duration)) ?? Number.NaN) * scale;
  return nanoseconds > 0 && Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : null;
}

function rateIn(video: Values | undefined): number | null {
  const rate = rateOf(1e9, numberIn(video, ids.defaultDuration) ?? 0);
  return rate !== null && rate <= maxRate ? rate : null;
}

function numberIn(values: Values | undefined, id: number): number | null {
  const value = values?.get(id);
  return value === undefined ? null : unsigned(value);
}

function codecOf(track: Values | undefined): string | null {
  const id = track?.get(ids.codecId);
  return id === undefined ? null : matroskaCodec(textAt(id, 0, id.length).replace(/\0+$/, ""));
}

/** Walks elements in file order: into those that hold what is asked for, past the others, up to the first cluster. */
async function readHead(head: MediaReader): Promise<Found> {
  const found: Found = { values: new Map(), tracks: [], isWhole: false };
  let offset = 0;
  for (let count = 0; count < maxElements; count++) {
    const element = readElement(await head.read(offset, 12));
    if (element?.id === ids.cluster) found.isWhole = true;
    if (element === null || element.id === ids.cluster) break;
    offset += element.headerBytes;
    if (element.id === ids.trackEntry && found.tracks.length < maxTracks) found.tracks.push(new Map());
    if (isContainer(element.id)) continue;
    // Only the EBML header, the segment and live clusters may be of unknown size.
    if (element.sizeBytes === null) break;
    await keep(head, { element, offset }, found);
    offset += element.sizeBytes;
  }
  return found;
}

const ofFile: readonly number[] = [ids.docType, ids.timestampScale, ids.duration];
const ofTrack: readonly number[] = [
  ids.trackType,
  ids.codecId,
  ids.codecPrivate,
  ids.defaultDuration,
  ids.pixelWidth,
  ids.pixelHeight,
  ids.transferCharacteristics,
  ids.projectionRoll,
  ids.channels,
  ids.samplingFrequency,
];

/** How much of a value is read, where that is not a number. */
const valueBytes: Readonly<Record<number, number>> = { [ids.codecId]: 32, [ids.codecPrivate]: 48 };

async function keep(
  head: MediaReader,
  { element: { id, sizeBytes }, offset }: { element: Element; offset: number },
  found: Found,
): Promise<void> {
  const values = ofFile.includes(id) ? found.values : ofTrack.includes(id) ? found.tracks.at(-1) : undefined;
  if (values === undefined || values.has(id)) return;
  values.set(id, await head.read(offset, Math.min(sizeBytes ?? 0, valueBytes[id] ?? 16)));
}
