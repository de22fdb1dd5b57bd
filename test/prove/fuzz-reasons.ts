/**
 * Why a request that the document allows may be refused with 400 all the same:
 * what no schema says. Matched against a detail's "field: message"; a detail
 * that names a network speaks for itself.
 */
export const reasonsOutside: readonly RegExp[] = [
  /^profile_ids\[\d+\]: This profile does not exist/,
  /^profile_ids\[\d+\]: This profile is (listed twice|disconnected)/,
  /^profile_ids\[\d+\]: The post has no target on it/,
  /^idempotency_key: The header Idempotency-Key and the body differ/,
  /^draft: Set the time to publish/,
  /^(draft|publish_now): draft and publish_now exclude each other/,
  // A draft's file must be there, whatever its networks say.
  /^media\[\d+\]: .*check (that )?the URL/,
  /^url: Deliveries to this URL are not allowed \(address refused: /,
  // A pattern sees the year of a time in its own zone.
  /: Must be a time in the years 0000 to 9999, in UTC/,
  // Each network's own schema, which its description shows.
  /^credentials\b/,
  /^profile_id: These credentials belong to another account/,
  // What no endpoint takes.
  /: The key (__proto__|constructor|prototype) is not allowed/,
  /: Remove the NUL characters/,
  /: A key holds a NUL/,
  /: The body (is nested deeper than|has more than) /,
];
