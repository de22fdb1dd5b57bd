/**
 * Every outcome of a commit on every network.
 *
 * Rows say what came back (outcomes-faults.ts says it in full; "done": the
 * network acted all the same). A cell says how the post's target ended, and
 * four numbers:
 *
 *     published 2 1 5 1
 *               │ │ │ └ posts on the network in the end
 *               │ │ └── seconds until the target settled
 *               │ └──── requests that looked for the post (Mastodon reads one page more when it finds it)
 *               └────── how often the request was made
 *
 * `timeout` means that it may be live, `network_error` that it certainly is
 * not. An empty cell does not apply.
 */

/** It certainly never left: again after 5, 10, 20, 40, 40 … s, for half an hour. */
export const notSent = `
                              | bluesky                   | mastodon                  | mastodon look-alike       | discord bot               | discord webhook
host is not found             | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
name look-up fails for now    | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
connection refused            | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
connection refused, 4 times   | published 5 0 75 1        | published 5 0 75 1        | published 5 0 75 1        | published 5 0 75 1        | published 5 0 75 1
connection refused, for hours | network_error 49 0 1835 0 | network_error 49 0 1835 0 | network_error 49 0 1835 0 | network_error 49 0 1835 0 | network_error 49 0 1835 0
host unreachable              | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
no route                      | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
connect timeout               | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
connect timeout of the guard  | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
address refused by the guard  | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
certificate expired           | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
certificate of another host   | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
`;

/**
 * The connection, or the answer, is lost. A bot repeats the request under its nonce, at once and every 5 s for 100 s; the others look.
 * Bluesky's record key is the same for ever, so that a request may even take effect long after we stopped waiting for it.
 */
export const lost = `
                               | bluesky                    | mastodon                | mastodon look-alike     | discord bot              | discord webhook
reset, not done                | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
reset, not done, 2 times       | published 3 2 15 1         | published 3 4 265 1     | published 3 4 265 1     | published 3 0 5 1        | timeout 1 0 0 0
reset, not done, 3 times       | published 4 3 35 1         | network_error 3 6 390 0 | network_error 3 6 390 0 | published 4 0 10 1       | timeout 1 0 0 0
reset, not done, for hours     | network_error 49 98 1900 0 | network_error 3 6 390 0 | network_error 3 6 390 0 | network_error 66 6 645 0 | timeout 1 0 0 0
reset, done                    | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
reset, done, for hours         | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 22 1 150 1     | timeout 1 0 0 1
reset, done 4 s later          | published 2 2 5 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
reset, done 60 s later         | published 2 1 5 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
reset, done 90 s later         | published 2 1 5 1          | published 1 3 125 1     | published 1 3 125 1     | published 2 0 0 1        | timeout 1 0 0 1
reset, done 10 min later       | published 2 1 5 1          |                         |                         |                          | timeout 1 0 0 1
no answer, not done            | published 2 1 35 1         | published 2 2 130 1     | published 2 2 130 1     | published 2 0 15 1       | timeout 1 0 60 0
no answer, not done, for hours | network_error 28 56 1870 0 | network_error 3 6 390 0 | network_error 3 6 390 0 | network_error 18 6 630 0 | timeout 1 0 60 0
answer after 5 s               | published 1 0 5 1          | published 1 0 5 1       | published 1 0 5 1       | published 1 0 5 1        | published 1 0 5 1
answer after 10 min            | published 1 1 30 1         | published 1 2 65 1      | published 1 2 65 1      | published 2 0 15 1       | timeout 1 0 60 1
drips for 5 s                  | published 1 0 5 1          | published 1 0 5 1       | published 1 0 5 1       | published 1 0 5 1        | published 1 0 5 1
drips for 10 min               | published 1 1 30 1         | published 1 2 65 1      | published 1 2 65 1      | published 2 0 15 1       | timeout 1 0 60 1
`;

/** A success that cannot be read is no success yet. */
export const unreadable = `
                           | bluesky           | mastodon            | mastodon look-alike | discord bot          | discord webhook
2xx cut in the middle      | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1    | timeout 1 0 0 1
2xx empty                  | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1    | timeout 1 0 0 1
2xx empty, not done        | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1    | timeout 1 0 0 0
2xx a page                 | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1    | timeout 1 0 0 1
2xx a page, not done       | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1    | timeout 1 0 0 0
2xx a page, for hours      | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 22 1 150 1 | timeout 1 0 0 1
2xx another JSON           | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1    | timeout 1 0 0 1
2xx another JSON, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1    | timeout 1 0 0 0
2xx of 9 MiB               | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1    | timeout 1 0 0 1
2xx without a body (204)   | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1    | timeout 1 0 0 1
`;

/** Nobody follows a redirect. */
export const redirects = `
              | bluesky           | mastodon            | mastodon look-alike | discord bot       | discord webhook
302, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
302, done     | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1 | timeout 1 0 0 1
308, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
304, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
`;

/** A server that is not well may have posted all the same. */
export const serverErrors = `
                               | bluesky                    | mastodon                | mastodon look-alike     | discord bot              | discord webhook
500, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
500, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
501, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
501, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
502, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
502, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
503, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
503, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
504, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
504, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
520, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
520, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
524, not done                  | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
524, done                      | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
500 in its own words, not done | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
500 in its own words, done     | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
503 in its own words, not done | published 2 1 5 1          | published 2 2 130 1     | published 2 2 130 1     | published 2 0 0 1        | timeout 1 0 0 0
503 in its own words, done     | published 1 1 0 1          | published 1 2 65 1      | published 1 2 65 1      | published 2 0 0 1        | timeout 1 0 0 1
503, not done, for hours       | network_error 49 98 1900 0 | network_error 3 6 390 0 | network_error 3 6 390 0 | network_error 66 6 645 0 | timeout 1 0 0 0
`;

/** Statuses that do not tell whether it was done, although the answer is the network's own. */
export const undecided = `
                               | bluesky           | mastodon            | mastodon look-alike | discord bot       | discord webhook
408 in its own words, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
408 in its own words, done     | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1 | timeout 1 0 0 1
409 in its own words, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
409 in its own words, done     | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1 | timeout 1 0 0 1
423 in its own words, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
423 in its own words, done     | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1 | timeout 1 0 0 1
425 in its own words, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
425 in its own words, done     | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1 | timeout 1 0 0 1
499 in its own words, not done | published 2 1 5 1 | published 2 2 130 1 | published 2 2 130 1 | published 2 0 0 1 | timeout 1 0 0 0
499 in its own words, done     | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 2 0 0 1 | timeout 1 0 0 1
`;

/** Refused for now: the network tells until when, or a proxy before it does. What it tells is believed once; an end that is later than the post is tried for fails it at once. */
export const limited = `
                                 | bluesky                   | mastodon                  | mastodon look-alike       | discord bot               | discord webhook
429 until in 60 s                | published 2 0 61 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1
429 until in 20 min              | published 2 0 1201 1      | published 2 0 1200 1      | published 2 0 1200 1      | published 2 0 1200 1      | published 2 0 1200 1
429 until in 2 h                 | network_error 1 0 0 0     | network_error 1 0 0 0     | network_error 1 0 0 0     | network_error 1 0 0 0     | network_error 1 0 0 0
429 until the year 9999          | network_error 1 0 0 0     | network_error 1 0 0 0     | network_error 1 0 0 0     | network_error 1 0 0 0     | network_error 1 0 0 0
429 until 10 min ago             | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
429 until 10 min ago, 4 times    | published 5 0 75 1        | published 5 0 75 1        | published 5 0 75 1        | published 5 0 75 1        | published 5 0 75 1
429, Retry-After: 60             | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1
429 a page, Retry-After: 60      | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1
429, Retry-After: a date in 60 s | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1        | published 2 0 60 1
429, end unknown                 | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1         | published 2 0 5 1
429, end unknown, for hours      | network_error 49 0 1835 0 | network_error 49 0 1835 0 | network_error 49 0 1835 0 | network_error 49 0 1835 0 | network_error 49 0 1835 0
`;

/** Refused in words that no row of the network's table knows, or by something that stands before it. What the rows know is in test/networks/refusals.test.ts. */
export const refused = `
                   | bluesky                     | mastodon                          | mastodon look-alike               | discord bot                       | discord webhook
401 a page         | published 2 1 5 1           | reauthentication_required 1 0 0 0 | reauthentication_required 1 0 0 0 | published 2 0 0 1                 | timeout 1 0 0 0
403 a page         | published 2 1 5 1           | published 2 2 130 1               | published 2 2 130 1               | published 2 0 0 1                 | timeout 1 0 0 0
404 a page         | published 2 1 5 1           | published 2 2 130 1               | published 2 2 130 1               | published 2 0 0 1                 | timeout 1 0 0 0
400 empty          | published 2 1 5 1           | published 2 2 130 1               | published 2 2 130 1               | published 2 0 0 1                 | timeout 1 0 0 0
400 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
401 in other words | rejected_by_network 1 0 0 0 | reauthentication_required 1 0 0 0 | reauthentication_required 1 0 0 0 | reauthentication_required 1 0 0 0 | reauthentication_required 1 0 0 0
403 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
404 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
418 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
422 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
`;

/** The first answer is lost, and whatever is sent after it fails, too. */
export const severalTroubles = `
                                  | bluesky                      | mastodon                            | mastodon look-alike                 | discord bot                         | discord webhook
reset, done; then 500             | published 1 1 0 1            | published 1 2 65 1                  | published 1 2 65 1                  | published 22 1 150 1                | timeout 1 0 0 1
reset, done; then 400             | published 1 1 0 1            | published 1 2 65 1                  | published 1 2 65 1                  | published 2 1 50 1                  | timeout 1 0 0 1
reset, done; then 401             | published 1 1 0 1            | published 1 2 65 1                  | published 1 2 65 1                  | published 2 1 50 1                  | timeout 1 0 0 1
reset, done; then 429             | published 1 1 0 1            | published 1 2 65 1                  | published 1 2 65 1                  | published 22 1 150 1                | timeout 1 0 0 1
reset, done; then unreachable     | published 1 1 0 1            | published 1 2 65 1                  | published 1 2 65 1                  | published 22 1 150 1                | timeout 1 0 0 1
reset, not done; then 500         | network_error 49 98 1900 0   | network_error 3 6 390 0             | network_error 3 6 390 0             | network_error 66 6 645 0            | timeout 1 0 0 0
reset, not done; then 400         | rejected_by_network 2 2 65 0 | rejected_by_network 2 2 130 0       | rejected_by_network 2 2 130 0       | rejected_by_network 3 2 115 0       | timeout 1 0 0 0
reset, not done; then 401         | rejected_by_network 2 2 65 0 | reauthentication_required 2 2 130 0 | reauthentication_required 2 2 130 0 | reauthentication_required 3 2 115 0 | timeout 1 0 0 0
reset, not done; then 429         | network_error 49 2 1835 0    | network_error 49 2 1960 0           | network_error 49 2 1960 0           | network_error 70 2 2045 0           | timeout 1 0 0 0
reset, not done; then unreachable | network_error 49 2 1835 0    | network_error 49 2 1960 0           | network_error 49 2 1960 0           | network_error 70 2 2045 0           | timeout 1 0 0 0
reset, done 60 s later; then 400  | published 2 2 65 1           | published 1 2 65 1                  | published 1 2 65 1                  | published 2 2 110 1                 | timeout 1 0 0 1
reset, done 60 s later; then 429  | published 49 2 1835 1        | published 1 2 65 1                  | published 1 2 65 1                  | published 22 1 150 1                | timeout 1 0 0 1
`;

/** With a picture; Mastodon and Discord may take 2 min to show it. */
export const withPicture = `
                       | bluesky            | mastodon            | mastodon look-alike | discord bot        | discord webhook
connection refused     | published 2 0 5 1  | published 2 0 5 1   | published 2 0 5 1   | published 2 0 5 1  | published 2 0 5 1
reset, not done        | published 2 1 5 1  | published 2 2 220 1 | published 2 2 220 1 | published 2 0 0 1  | timeout 1 0 0 0
reset, done            | published 1 1 0 1  | published 1 2 155 1 | published 1 2 155 1 | published 2 0 0 1  | timeout 1 0 0 1
reset, done 60 s later | published 2 1 5 1  | published 1 2 155 1 | published 1 2 155 1 | published 2 0 0 1  | timeout 1 0 0 1
no answer, not done    | published 2 1 35 1 | published 2 2 220 1 | published 2 2 220 1 | published 2 0 15 1 | timeout 1 0 60 0
answer after 10 min    | published 1 1 30 1 | published 1 2 155 1 | published 1 2 155 1 | published 2 0 15 1 | timeout 1 0 60 1
2xx cut in the middle  | published 1 1 0 1  | published 1 2 155 1 | published 1 2 155 1 | published 2 0 0 1  | timeout 1 0 0 1
500, not done          | published 2 1 5 1  | published 2 2 220 1 | published 2 2 220 1 | published 2 0 0 1  | timeout 1 0 0 0
500, done              | published 1 1 0 1  | published 1 2 155 1 | published 1 2 155 1 | published 2 0 0 1  | timeout 1 0 0 1
429 until in 60 s      | published 2 0 61 1 | published 2 0 60 1  | published 2 0 60 1  | published 2 0 60 1 | published 2 0 60 1
`;

/** Nothing protects a forum post against being made twice: it is looked for. */
export const inForum = `
                           | discord forum
connection refused         | published 2 0 5 1
reset, not done            | published 2 2 160 1
reset, done                | published 1 1 95 1
reset, done 60 s later     | published 1 1 95 1
no answer, not done        | published 2 2 160 1
answer after 10 min        | published 1 1 95 1
2xx cut in the middle      | published 1 1 95 1
500, not done              | published 2 2 160 1
500, done                  | published 1 1 95 1
reset, not done, for hours | network_error 3 6 480 0
429 until in 60 s          | published 2 0 60 1
`;

/** A thread of three: one request on Bluesky, of which a look that finds it reads each part; elsewhere the second of three, and sent and looked count all three. */
export const inThread = `
                           | bluesky                     | mastodon                    | mastodon look-alike
connection refused         | published 2 0 5 3           | published 4 0 5 3           | published 4 0 5 3
reset, not done            | published 2 1 5 3           | published 4 4 130 3         | published 4 4 130 3
reset, done                | published 1 3 0 3           | published 3 2 65 3          | published 3 2 65 3
reset, done 60 s later     | published 2 1 5 3           | published 3 2 65 3          | published 3 2 65 3
no answer, not done        | published 2 1 35 3          | published 4 4 130 3         | published 4 4 130 3
answer after 10 min        | published 1 3 30 3          | published 3 2 65 3          | published 3 2 65 3
2xx cut in the middle      | published 1 3 0 3           | published 3 2 65 3          | published 3 2 65 3
500, not done              | published 2 1 5 3           | published 4 4 130 3         | published 4 4 130 3
500, done                  | published 1 3 0 3           | published 3 2 65 3          | published 3 2 65 3
reset, not done, for hours | network_error 49 98 1900 0  | network_error 4 12 390 1    | network_error 4 12 390 1
429 until in 60 s          | published 2 0 61 3          | published 4 0 60 3          | published 4 0 60 3
400 in other words         | rejected_by_network 1 0 0 0 | rejected_by_network 2 0 0 1 | rejected_by_network 2 0 0 1
`;

/**
 * The upload of a picture, which nobody sees: repeated at once after 0.5 and 2 s, then with pauses, for half an hour; a 500, which may be the file's fault, only with pauses.
 * The numbers: uploads · requests sent · seconds · posts there.
 */
export const stage = `
                               | bluesky                     | mastodon                    | mastodon look-alike
connection refused             | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
connection refused, for hours  | network_error 138 0 1830 0  | network_error 138 0 1830 0  | network_error 138 0 1830 0
certificate expired            | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
reset, not done                | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
reset, done                    | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
reset, done, for hours         | network_error 138 0 1830 0  | network_error 138 0 1830 0  | network_error 138 0 1830 0
no answer, not done            | published 2 1 300.5 1       | published 2 1 300.5 1       | published 2 1 300.5 1
no answer, not done, for hours | network_error 9 0 2722.5 0  | network_error 9 0 2722.5 0  | network_error 9 0 2722.5 0
answer after 5 s               | published 1 1 5 1           | published 1 1 5 1           | published 1 1 5 1
answer after 10 min            | published 2 1 300.5 1       | published 2 1 300.5 1       | published 2 1 300.5 1
drips for 5 s                  | published 1 1 5 1           | published 1 1 5 1           | published 1 1 5 1
drips for 10 min               | published 2 1 300.5 1       | published 2 1 300.5 1       | published 2 1 300.5 1
2xx cut in the middle          | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
2xx empty                      | published 2 1 5 1           | published 2 1 5 1           | published 2 1 5 1
2xx a page                     | published 2 1 5 1           | published 2 1 5 1           | published 2 1 5 1
2xx a page, for hours          | network_error 49 0 1835 0   | network_error 49 0 1835 0   | network_error 49 0 1835 0
2xx another JSON               | published 2 1 5 1           | published 2 1 5 1           | published 2 1 5 1
2xx of 9 MiB                   | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
302, not done                  | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
500, not done                  | published 2 1 5 1           | published 2 1 5 1           | published 2 1 5 1
500, done                      | published 2 1 5 1           | published 2 1 5 1           | published 2 1 5 1
502, not done                  | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
503, not done, for hours       | network_error 138 0 1830 0  | network_error 138 0 1830 0  | network_error 138 0 1830 0
504, done                      | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
409 in its own words, done     | published 2 1 0.5 1         | published 2 1 0.5 1         | published 2 1 0.5 1
429 until in 60 s              | published 2 1 61 1          | published 2 1 60 1          | published 2 1 60 1
429, end unknown, for hours    | network_error 49 0 1835 0   | network_error 49 0 1835 0   | network_error 49 0 1835 0
400 in other words             | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
`;

/**
 * What is set once the post is there: sending it on from a Discord announcement channel. It never fails the post.
 * The numbers: requests sent · requests that confirm · seconds · posts there.
 */
export const confirm = `
                               | discord announcement
connection refused             | published 1 2 0.5 1
connection refused, for hours  | published 1 18 130 1
reset, not done                | published 1 2 0.5 1
reset, done                    | published 1 2 0.5 1
reset, done, for hours         | published 1 18 130 1
no answer, not done            | published 1 2 20.5 1
no answer, not done, for hours | published 1 9 202.5 1
answer after 10 min            | published 1 2 20.5 1
2xx cut in the middle          | published 1 2 0.5 1
2xx a page                     | published 1 1 0 1
302, not done                  | published 1 2 0.5 1
500, not done                  | published 1 2 0.5 1
500, done                      | published 1 2 0.5 1
503, not done, for hours       | published 1 18 130 1
429 until in 60 s              | published 1 2 60 1
429, end unknown, for hours    | published 1 7 155 1
400 in other words             | published 1 1 0 1
401 in other words             | published 1 1 0 1
403 a page                     | published 1 2 0.5 1
`;

/** The answer was lost, the post is there, and the look for it fails. One that is refused is no answer: it goes on after the remedy, for 72 h. */
export const locateDone = `
                            | bluesky                | mastodon               | mastodon look-alike    | discord bot
connection refused          | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
reset, done                 | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
no answer, not done         | published 1 2 20.5 1   | published 1 3 85.5 1   | published 1 3 85.5 1   | published 22 2 170.5 1
2xx cut in the middle       | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
2xx empty                   | published 1 2 30 1     | published 1 3 95 1     | published 1 3 95 1     | published 22 2 180 1
2xx a page                  | published 1 2 30 1     | published 1 3 95 1     | published 1 3 95 1     | published 22 2 180 1
2xx a page, for hours       | timeout 1 123 3635 1   | timeout 1 120 3635 1   | timeout 1 120 3635 1   | timeout 22 120 3720 1
2xx another JSON            | published 1 2 30 1     | published 1 3 95 1     | published 1 3 95 1     | published 22 2 180 1
2xx of 9 MiB                | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
302, not done               | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
500, not done               | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
503, not done, for hours    | timeout 1 339 3637.5 1 | timeout 1 333 3637.5 1 | timeout 1 333 3637.5 1 | timeout 22 333 3722.5 1
429 until in 60 s           | published 1 2 61 1     | published 1 3 95 1     | published 1 3 95 1     | published 22 2 210 1
429 until in 20 min         | published 1 2 1201 1   | published 1 3 1200 1   | published 1 3 1200 1   | published 22 2 1350 1
429 until in 2 h            | published 1 2 7201 1   | published 1 3 7200 1   | published 1 3 7200 1   | published 22 2 7350 1
429, end unknown, for hours | timeout 1 84 259200 1  | timeout 1 84 259200 1  | timeout 1 84 259200 1  | timeout 22 84 259200 1
401 a page                  | published 1 2 0.5 1    | timeout 1 1 259200 1   | timeout 1 1 259200 1   | published 22 2 150.5 1
401 in other words          | published 1 2 300 1    | timeout 1 1 259200 1   | timeout 1 1 259200 1   | timeout 22 1 259200 1
403 a page                  | published 1 2 0.5 1    | published 1 3 65.5 1   | published 1 3 65.5 1   | published 22 2 150.5 1
403 in other words          | published 1 2 300 1    | published 1 3 365 1    | published 1 3 365 1    | published 22 2 450 1
404 in other words          | published 1 2 30 1     | timeout 1 1 65 1       | timeout 1 1 65 1       | timeout 22 1 150 1
`;

/** The answer was lost, the post is not there, and the look for it fails: nobody may say that it certainly is not. */
export const locateNotDone = `
                         | bluesky                | mastodon               | mastodon look-alike    | discord bot
connection refused       | published 2 2 5.5 1    | published 2 3 130.5 1  | published 2 3 130.5 1  | published 23 3 215.5 1
reset, done              | published 2 2 5.5 1    | published 2 3 130.5 1  | published 2 3 130.5 1  | published 23 3 215.5 1
2xx a page               | published 2 2 35 1     | published 2 3 160 1    | published 2 3 160 1    | published 23 3 245 1
503, not done, for hours | timeout 1 339 3637.5 0 | timeout 1 333 3637.5 0 | timeout 1 333 3637.5 0 | timeout 22 333 3722.5 0
429 until in 60 s        | published 2 2 66 1     | published 2 3 160 1    | published 2 3 160 1    | published 23 3 275 1
429 until in 2 h         | published 2 2 7206 1   | published 2 3 7265 1   | published 2 3 7265 1   | published 23 3 7415 1
401 in other words       | published 2 2 305 1    | timeout 1 1 259200 0   | timeout 1 1 259200 0   | timeout 22 1 259200 0
403 in other words       | published 2 2 305 1    | published 2 3 430 1    | published 2 3 430 1    | published 23 3 515 1
`;

/** The answer was lost, and reads show the post this much later. */
export const shownLate = `
      | bluesky           | mastodon            | mastodon look-alike | discord bot
0 s   | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 22 1 150 1
60 s  | published 1 1 0 1 | published 1 2 65 1  | published 1 2 65 1  | published 22 1 150 1
90 s  | published 1 1 0 1 | published 1 3 125 1 | published 1 3 125 1 | published 22 1 150 1
120 s | published 1 1 0 1 | published 1 3 125 1 | published 1 3 125 1 | published 22 1 150 1
`;
