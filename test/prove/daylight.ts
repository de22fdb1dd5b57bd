const hourMs = 3_600_000;
const yearMs = 366 * 24 * hourMs;

/** When the clocks of a zone are next put forward or back, milliseconds since 1970. */
export function nextClockChange(zone: string, after: number): number {
  const before = offsetOf(zone, after);
  // Everywhere in use it is on a full hour of UTC.
  for (let at = Math.ceil(after / hourMs) * hourMs; at < after + yearMs; at += hourMs) {
    if (offsetOf(zone, at) !== before) return at;
  }
  throw new Error(`In ${zone} clocks are not changed.`);
}

/** As people there write it, to the second: `2027-03-28T03:00:05+02:00`. */
export function localTime(ms: number, zone: string): string {
  const offset = offsetOf(zone, ms);
  const sign = offset.startsWith("-") ? -1 : 1;
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  const local = new Date(ms + sign * (hours * 60 + minutes) * 60_000).toISOString();
  return `${local.slice(0, 19)}${offset}`;
}

/** `+01:00` */
function offsetOf(zone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(ms);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name === "GMT" ? "+00:00" : name.slice("GMT".length);
}
