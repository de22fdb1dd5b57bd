import type { OutcomeTables } from "../../publishing/outcomes.ts";

/**
 * A bot repeats the request under its nonce, at once and every 5 s for 100 s; where no nonce helps, in a forum, the
 * post is looked for. What a webhook posted nobody can ask for. With a file, a post may take 2 min to show.
 */
export const outcomes: OutcomeTables = {
  notSent: `
                                  | discord bot               | discord webhook
    host is not found             | published 2 0 5 1         | published 2 0 5 1
    name look-up fails for now    | published 2 0 5 1         | published 2 0 5 1
    connection refused            | published 2 0 5 1         | published 2 0 5 1
    connection refused, 4 times   | published 5 0 75 1        | published 5 0 75 1
    connection refused, for hours | network_error 49 0 1835 0 | network_error 49 0 1835 0
    host unreachable              | published 2 0 5 1         | published 2 0 5 1
    no route                      | published 2 0 5 1         | published 2 0 5 1
    connect timeout               | published 2 0 5 1         | published 2 0 5 1
    connect timeout of the guard  | published 2 0 5 1         | published 2 0 5 1
    address refused by the guard  | published 2 0 5 1         | published 2 0 5 1
    certificate expired           | published 2 0 5 1         | published 2 0 5 1
    certificate of another host   | published 2 0 5 1         | published 2 0 5 1
  `,
  lost: `
                                   | discord bot              | discord webhook
    reset, not done                | published 2 0 0 1        | timeout 1 0 0 0
    reset, not done, 2 times       | published 3 0 5 1        | timeout 1 0 0 0
    reset, not done, 3 times       | published 4 0 10 1       | timeout 1 0 0 0
    reset, not done, for hours     | network_error 66 6 645 0 | timeout 1 0 0 0
    reset, done                    | published 2 0 0 1        | timeout 1 0 0 1
    reset, done, for hours         | published 22 1 150 1     | timeout 1 0 0 1
    reset, done 4 s later          | published 2 0 0 1        | timeout 1 0 0 1
    reset, done 60 s later         | published 2 0 0 1        | timeout 1 0 0 1
    reset, done 90 s later         | published 2 0 0 1        | timeout 1 0 0 1
    reset, done 10 min later       |                          | timeout 1 0 0 1
    no answer, not done            | published 2 0 15 1       | timeout 1 0 60 0
    no answer, not done, for hours | network_error 18 6 630 0 | timeout 1 0 60 0
    answer after 5 s               | published 1 0 5 1        | published 1 0 5 1
    answer after 10 min            | published 2 0 15 1       | timeout 1 0 60 1
    drips for 5 s                  | published 1 0 5 1        | published 1 0 5 1
    drips for 10 min               | published 2 0 15 1       | timeout 1 0 60 1
  `,
  unreadable: `
                               | discord bot          | discord webhook
    2xx cut in the middle      | published 2 0 0 1    | timeout 1 0 0 1
    2xx empty                  | published 2 0 0 1    | timeout 1 0 0 1
    2xx empty, not done        | published 2 0 0 1    | timeout 1 0 0 0
    2xx a page                 | published 2 0 0 1    | timeout 1 0 0 1
    2xx a page, not done       | published 2 0 0 1    | timeout 1 0 0 0
    2xx a page, for hours      | published 22 1 150 1 | timeout 1 0 0 1
    2xx another JSON           | published 2 0 0 1    | timeout 1 0 0 1
    2xx another JSON, not done | published 2 0 0 1    | timeout 1 0 0 0
    2xx of 9 MiB               | published 2 0 0 1    | timeout 1 0 0 1
    2xx without a body (204)   | published 2 0 0 1    | timeout 1 0 0 1
  `,
  redirects: `
                  | discord bot       | discord webhook
    302, not done | published 2 0 0 1 | timeout 1 0 0 0
    302, done     | published 2 0 0 1 | timeout 1 0 0 1
    308, not done | published 2 0 0 1 | timeout 1 0 0 0
    304, not done | published 2 0 0 1 | timeout 1 0 0 0
  `,
  serverErrors: `
                                   | discord bot              | discord webhook
    500, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    500, done                      | published 2 0 0 1        | timeout 1 0 0 1
    501, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    501, done                      | published 2 0 0 1        | timeout 1 0 0 1
    502, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    502, done                      | published 2 0 0 1        | timeout 1 0 0 1
    503, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    503, done                      | published 2 0 0 1        | timeout 1 0 0 1
    504, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    504, done                      | published 2 0 0 1        | timeout 1 0 0 1
    520, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    520, done                      | published 2 0 0 1        | timeout 1 0 0 1
    524, not done                  | published 2 0 0 1        | timeout 1 0 0 0
    524, done                      | published 2 0 0 1        | timeout 1 0 0 1
    500 in its own words, not done | published 2 0 0 1        | timeout 1 0 0 0
    500 in its own words, done     | published 2 0 0 1        | timeout 1 0 0 1
    503 in its own words, not done | published 2 0 0 1        | timeout 1 0 0 0
    503 in its own words, done     | published 2 0 0 1        | timeout 1 0 0 1
    503, not done, for hours       | network_error 66 6 645 0 | timeout 1 0 0 0
  `,
  undecided: `
                                   | discord bot       | discord webhook
    408 in its own words, not done | published 2 0 0 1 | timeout 1 0 0 0
    408 in its own words, done     | published 2 0 0 1 | timeout 1 0 0 1
    409 in its own words, not done | published 2 0 0 1 | timeout 1 0 0 0
    409 in its own words, done     | published 2 0 0 1 | timeout 1 0 0 1
    423 in its own words, not done | published 2 0 0 1 | timeout 1 0 0 0
    423 in its own words, done     | published 2 0 0 1 | timeout 1 0 0 1
    425 in its own words, not done | published 2 0 0 1 | timeout 1 0 0 0
    425 in its own words, done     | published 2 0 0 1 | timeout 1 0 0 1
    499 in its own words, not done | published 2 0 0 1 | timeout 1 0 0 0
    499 in its own words, done     | published 2 0 0 1 | timeout 1 0 0 1
  `,
  knownWords: `
                             | discord bot       | discord webhook
    302 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
    408 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
    409 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
    499 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
    500 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
    502 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
    503 in known words, done | published 2 0 0 1 | timeout 1 0 0 1
  `,
  limited: `
                                     | discord bot               | discord webhook
    429 until in 60 s                | published 2 0 60 1        | published 2 0 60 1
    429 until in 20 min              | published 2 0 1200 1      | published 2 0 1200 1
    429 until in 2 h                 | network_error 1 0 0 0     | network_error 1 0 0 0
    429 until the year 9999          | network_error 1 0 0 0     | network_error 1 0 0 0
    429 until 10 min ago             | published 2 0 5 1         | published 2 0 5 1
    429 until 10 min ago, 4 times    | published 5 0 75 1        | published 5 0 75 1
    429, Retry-After: 60             | published 2 0 60 1        | published 2 0 60 1
    429 a page, Retry-After: 60      | published 2 0 60 1        | published 2 0 60 1
    429, Retry-After: a date in 60 s | published 2 0 60 1        | published 2 0 60 1
    429, end unknown                 | published 2 0 5 1         | published 2 0 5 1
    429, end unknown, for hours      | network_error 49 0 1835 0 | network_error 49 0 1835 0
  `,
  refused: `
                       | discord bot                       | discord webhook
    401 a page         | published 2 0 0 1                 | timeout 1 0 0 0
    403 a page         | published 2 0 0 1                 | timeout 1 0 0 0
    404 a page         | published 2 0 0 1                 | timeout 1 0 0 0
    400 empty          | published 2 0 0 1                 | timeout 1 0 0 0
    400 in other words | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
    401 in other words | reauthentication_required 1 0 0 0 | reauthentication_required 1 0 0 0
    403 in other words | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
    404 in other words | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
    418 in other words | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
    422 in other words | rejected_by_network 1 0 0 0       | rejected_by_network 1 0 0 0
  `,
  severalTroubles: `
                                      | discord bot                         | discord webhook
    reset, done; then 500             | published 22 1 150 1                | timeout 1 0 0 1
    reset, done; then 400             | published 2 1 50 1                  | timeout 1 0 0 1
    reset, done; then 401             | published 2 1 50 1                  | timeout 1 0 0 1
    reset, done; then 429             | published 22 1 150 1                | timeout 1 0 0 1
    reset, done; then unreachable     | published 22 1 150 1                | timeout 1 0 0 1
    reset, not done; then 500         | network_error 66 6 645 0            | timeout 1 0 0 0
    reset, not done; then 400         | rejected_by_network 3 2 115 0       | timeout 1 0 0 0
    reset, not done; then 401         | reauthentication_required 3 2 115 0 | timeout 1 0 0 0
    reset, not done; then 429         | network_error 70 2 2045 0           | timeout 1 0 0 0
    reset, not done; then unreachable | network_error 70 2 2045 0           | timeout 1 0 0 0
    reset, done 60 s later; then 400  | published 2 2 110 1                 | timeout 1 0 0 1
    reset, done 60 s later; then 429  | published 22 1 150 1                | timeout 1 0 0 1
  `,
  withPicture: `
                           | discord bot        | discord webhook
    connection refused     | published 2 0 5 1  | published 2 0 5 1
    reset, not done        | published 2 0 0 1  | timeout 1 0 0 0
    reset, done            | published 2 0 0 1  | timeout 1 0 0 1
    reset, done 60 s later | published 2 0 0 1  | timeout 1 0 0 1
    no answer, not done    | published 2 0 15 1 | timeout 1 0 60 0
    answer after 10 min    | published 2 0 15 1 | timeout 1 0 60 1
    2xx cut in the middle  | published 2 0 0 1  | timeout 1 0 0 1
    500, not done          | published 2 0 0 1  | timeout 1 0 0 0
    500, done              | published 2 0 0 1  | timeout 1 0 0 1
    429 until in 60 s      | published 2 0 60 1 | published 2 0 60 1
  `,
  withTitle: `
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
  `,
  confirm: {
    options: { discord: { crosspost: true } },
    table: `
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
    `,
  },
  locateDone: `
                                | discord bot
    connection refused          | published 22 2 150.5 1
    reset, done                 | published 22 2 150.5 1
    no answer, not done         | published 22 2 170.5 1
    2xx cut in the middle       | published 22 2 150.5 1
    2xx empty                   | published 22 2 180 1
    2xx a page                  | published 22 2 180 1
    2xx a page, for hours       | timeout 22 120 3720 1
    2xx another JSON            | published 22 2 180 1
    2xx of 9 MiB                | published 22 2 150.5 1
    302, not done               | published 22 2 150.5 1
    500, not done               | published 22 2 150.5 1
    503, not done, for hours    | timeout 22 333 3722.5 1
    429 until in 60 s           | published 22 2 210 1
    429 until in 20 min         | published 22 2 1350 1
    429 until in 2 h            | published 22 2 7350 1
    429, end unknown, for hours | timeout 22 84 259200 1
    401 a page                  | published 22 2 150.5 1
    401 in other words          | timeout 22 1 259200 1
    403 a page                  | published 22 2 150.5 1
    403 in other words          | published 22 2 450 1
    404 in other words          | timeout 22 1 150 1
  `,
  locateNotDone: `
                             | discord bot
    connection refused       | published 23 3 215.5 1
    reset, done              | published 23 3 215.5 1
    2xx a page               | published 23 3 245 1
    503, not done, for hours | timeout 22 333 3722.5 0
    429 until in 60 s        | published 23 3 275 1
    429 until in 2 h         | published 23 3 7415 1
    401 in other words       | timeout 22 1 259200 0
    403 in other words       | published 23 3 515 1
  `,
  shownLate: `
          | discord bot
    0 s   | published 22 1 150 1
    60 s  | published 22 1 150 1
    90 s  | published 22 1 150 1
    120 s | published 22 1 150 1
  `,
};
