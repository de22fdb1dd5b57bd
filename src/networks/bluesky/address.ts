/** The parts of a record's URI. */
export interface RecordAddress {
  /** Handle or DID of its author. */
  author: string;
  collection: string;
  recordKey: string;
}

export const postCollection = "app.bsky.feed.post";

/** The records that can be embedded below a post's text, and their paths on bsky.app: `/profile/alice.bsky.social/post/3jzfcijpj2z2a`. */
const pages: readonly { collection: string; path: RegExp; page(author: string, recordKey: string): string }[] = [
  {
    collection: postCollection,
    path: /^\/profile\/([^/]+)\/post\/([^/]+)\/?$/,
    page: (author, recordKey) => `/profile/${author}/post/${recordKey}`,
  },
  {
    collection: "app.bsky.graph.list",
    path: /^\/profile\/([^/]+)\/lists\/([^/]+)\/?$/,
    page: (author, recordKey) => `/profile/${author}/lists/${recordKey}`,
  },
  {
    collection: "app.bsky.feed.generator",
    path: /^\/profile\/([^/]+)\/feed\/([^/]+)\/?$/,
    page: (author, recordKey) => `/profile/${author}/feed/${recordKey}`,
  },
  {
    collection: "app.bsky.graph.starterpack",
    path: /^\/(?:starter-pack|start)\/([^/]+)\/([^/]+)\/?$/,
    page: (author, recordKey) => `/starter-pack/${author}/${recordKey}`,
  },
];

const atUri = /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/;
/** https://atproto.com/specs/record-key (2026-08) */
const recordKeyPattern = /^[A-Za-z0-9._:~-]{1,512}$/;
const authorPattern = /^[A-Za-z0-9._:%-]{3,2048}$/;

/** Parses an at:// URI or a URL on bsky.app. Null: neither, or a record that a post cannot embed. */
export function readAddress(address: string): RecordAddress | null {
  const [author, collection, recordKey] = address.startsWith("at://") ? fromUri(address) : fromPage(address);
  if (author === undefined || collection === undefined || recordKey === undefined) return null;
  const isKnown = pages.some((page) => page.collection === collection);
  return isKnown && authorPattern.test(author) && recordKeyPattern.test(recordKey)
    ? { author, collection, recordKey }
    : null;
}

/** The bsky.app URL of an at:// URI. Null: bsky.app has no page for it. */
export function pageOf(uri: string): string | null {
  const address = uri.startsWith("at://") ? readAddress(uri) : null;
  const found = pages.find(({ collection }) => collection === address?.collection);
  return address === null || found === undefined
    ? null
    : `https://bsky.app${found.page(address.author, address.recordKey)}`;
}

function fromUri(address: string): (string | undefined)[] {
  return atUri.exec(address)?.slice(1) ?? [];
}

function fromPage(address: string): (string | undefined)[] {
  if (!URL.canParse(address)) return [];
  const { origin, pathname } = new URL(address);
  if (origin !== "https://bsky.app") return [];
  for (const { collection, path } of pages) {
    const found = path.exec(pathname);
    if (found !== null) return [found[1], collection, found[2]];
  }
  return [];
}
