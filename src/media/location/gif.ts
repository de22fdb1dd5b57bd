import { textAt } from "../probe/reader.ts";
import type { Search } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** Programs write XMP before the frames. */
const headBytes = 32 * 1024;

/** The application extension of XMP: XMP specification, part 3, section 1.1.2. */
const mark = "!\xff\x0bXMP DataXMP";
const packetEnd = "<?xpacket end";

/** GIF: XMP is stored uncompressed between the blocks, which do not depend on it. */
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
