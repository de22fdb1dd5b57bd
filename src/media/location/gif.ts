import { textAt } from "../probe/reader.ts";
import type { Search } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** Programs put XMP in front of the pictures. */
const headBytes = 32 * 1024;

/** An extension of its own: XMP specification, part 3, section 1.1.2. */
const mark = "!\xff\x0bXMP DataXMP";
const packetEnd = "<?xpacket end";

/** GIF: XMP stands as it is between the blocks, which do not depend on what it says. */
export async function searchGif(search: Search): Promise<void> {
  const { reader } = search;
  const bytes = await reader.read(0, headBytes);
  const head = textAt(bytes, 0, bytes.length);
  const at = head.indexOf(mark);
  if (at === -1) return;
  const end = head.indexOf(packetEnd, at);
  if (end === -1) search.left.add("out_of_reach");
  else await searchXmp(search, { start: at + mark.length, end });
}
