import type { OutcomeTables } from "../../publishing/outcomes.ts";

/**
 * The record key is the same for ever, so that a request may even take effect long after we stopped waiting for it. A login's
 * proofs need a nonce that is minutes old at most: after a long wait the first request only brings a new one.
 */
export const outcomes: OutcomeTables = {
  notSent: `
                                  | bluesky                   | bluesky login
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
                                   | bluesky                    | bluesky login
    reset, not done                | published 2 1 5 1          | published 2 1 5 1
    reset, not done, 2 times       | published 3 2 15 1         | published 3 2 15 1
    reset, not done, 3 times       | published 4 3 35 1         | published 4 3 35 1
    reset, not done, for hours     | network_error 49 98 1900 0 | network_error 49 98 1900 0
    reset, done                    | published 1 1 0 1          | published 1 1 0 1
    reset, done, for hours         | published 1 1 0 1          | published 1 1 0 1
    reset, done 4 s later          | published 2 2 5 1          | published 2 2 5 1
    reset, done 60 s later         | published 2 1 5 1          | published 2 1 5 1
    reset, done 90 s later         | published 2 1 5 1          | published 2 1 5 1
    reset, done 10 min later       | published 2 1 5 1          | published 2 1 5 1
    no answer, not done            | published 2 1 35 1         | published 2 1 35 1
    no answer, not done, for hours | network_error 28 56 1870 0 | network_error 28 56 1870 0
    answer after 5 s               | published 1 0 5 1          | published 1 0 5 1
    answer after 10 min            | published 1 1 30 1         | published 1 1 30 1
    drips for 5 s                  | published 1 0 5 1          | published 1 0 5 1
    drips for 10 min               | published 1 1 30 1         | published 1 1 30 1
  `,
  unreadable: `
                               | bluesky           | bluesky login
    2xx cut in the middle      | published 1 1 0 1 | published 1 1 0 1
    2xx empty                  | published 1 1 0 1 | published 1 1 0 1
    2xx empty, not done        | published 2 1 5 1 | published 2 1 5 1
    2xx a page                 | published 1 1 0 1 | published 1 1 0 1
    2xx a page, not done       | published 2 1 5 1 | published 2 1 5 1
    2xx a page, for hours      | published 1 1 0 1 | published 1 1 0 1
    2xx another JSON           | published 1 1 0 1 | published 1 1 0 1
    2xx another JSON, not done | published 2 1 5 1 | published 2 1 5 1
    2xx of 9 MiB               | published 1 1 0 1 | published 1 1 0 1
    2xx without a body (204)   | published 1 1 0 1 | published 1 1 0 1
  `,
  redirects: `
                  | bluesky           | bluesky login
    302, not done | published 2 1 5 1 | published 2 1 5 1
    302, done     | published 1 1 0 1 | published 1 1 0 1
    308, not done | published 2 1 5 1 | published 2 1 5 1
    304, not done | published 2 1 5 1 | published 2 1 5 1
  `,
  serverErrors: `
                                   | bluesky                    | bluesky login
    500, not done                  | published 2 1 5 1          | published 2 1 5 1
    500, done                      | published 1 1 0 1          | published 1 1 0 1
    501, not done                  | published 2 1 5 1          | published 2 1 5 1
    501, done                      | published 1 1 0 1          | published 1 1 0 1
    502, not done                  | published 2 1 5 1          | published 2 1 5 1
    502, done                      | published 1 1 0 1          | published 1 1 0 1
    503, not done                  | published 2 1 5 1          | published 2 1 5 1
    503, done                      | published 1 1 0 1          | published 1 1 0 1
    504, not done                  | published 2 1 5 1          | published 2 1 5 1
    504, done                      | published 1 1 0 1          | published 1 1 0 1
    520, not done                  | published 2 1 5 1          | published 2 1 5 1
    520, done                      | published 1 1 0 1          | published 1 1 0 1
    524, not done                  | published 2 1 5 1          | published 2 1 5 1
    524, done                      | published 1 1 0 1          | published 1 1 0 1
    500 in its own words, not done | published 2 1 5 1          | published 2 1 5 1
    500 in its own words, done     | published 1 1 0 1          | published 1 1 0 1
    503 in its own words, not done | published 2 1 5 1          | published 2 1 5 1
    503 in its own words, done     | published 1 1 0 1          | published 1 1 0 1
    503, not done, for hours       | network_error 49 98 1900 0 | network_error 49 98 1900 0
  `,
  undecided: `
                                   | bluesky           | bluesky login
    408 in its own words, not done | published 2 1 5 1 | published 2 1 5 1
    408 in its own words, done     | published 1 1 0 1 | published 1 1 0 1
    409 in its own words, not done | published 2 1 5 1 | published 2 1 5 1
    409 in its own words, done     | published 1 1 0 1 | published 1 1 0 1
    423 in its own words, not done | published 2 1 5 1 | published 2 1 5 1
    423 in its own words, done     | published 1 1 0 1 | published 1 1 0 1
    425 in its own words, not done | published 2 1 5 1 | published 2 1 5 1
    425 in its own words, done     | published 1 1 0 1 | published 1 1 0 1
    499 in its own words, not done | published 2 1 5 1 | published 2 1 5 1
    499 in its own words, done     | published 1 1 0 1 | published 1 1 0 1
  `,
  knownWords: `
                             | bluesky           | bluesky login
    302 in known words, done | published 1 1 0 1 | published 1 1 0 1
    408 in known words, done | published 1 1 0 1 | published 1 1 0 1
    409 in known words, done | published 1 1 0 1 | published 1 1 0 1
    499 in known words, done | published 1 1 0 1 | published 1 1 0 1
    500 in known words, done | published 1 1 0 1 | published 1 1 0 1
    502 in known words, done | published 1 1 0 1 | published 1 1 0 1
    503 in known words, done | published 1 1 0 1 | published 1 1 0 1
  `,
  limited: `
                                     | bluesky                   | bluesky login
    429 until in 60 s                | published 2 0 61 1        | published 2 0 61 1
    429 until in 20 min              | published 2 0 1201 1      | published 3 0 1201 1
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
                       | bluesky                     | bluesky login
    401 a page         | published 2 1 5 1           | published 2 1 5 1
    403 a page         | published 2 1 5 1           | published 2 1 5 1
    404 a page         | published 2 1 5 1           | published 2 1 5 1
    400 empty          | published 2 1 5 1           | published 2 1 5 1
    400 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    401 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    403 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    404 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    418 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    422 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  severalTroubles: `
                                      | bluesky                      | bluesky login
    reset, done; then 500             | published 1 1 0 1            | published 1 1 0 1
    reset, done; then 400             | published 1 1 0 1            | published 1 1 0 1
    reset, done; then 401             | published 1 1 0 1            | published 1 1 0 1
    reset, done; then 429             | published 1 1 0 1            | published 1 1 0 1
    reset, done; then unreachable     | published 1 1 0 1            | published 1 1 0 1
    reset, not done; then 500         | network_error 49 98 1900 0   | network_error 49 98 1900 0
    reset, not done; then 400         | rejected_by_network 2 2 65 0 | rejected_by_network 2 2 65 0
    reset, not done; then 401         | rejected_by_network 2 2 65 0 | rejected_by_network 2 2 65 0
    reset, not done; then 429         | network_error 49 2 1835 0    | network_error 49 2 1835 0
    reset, not done; then unreachable | network_error 49 2 1835 0    | network_error 49 2 1835 0
    reset, done 60 s later; then 400  | published 2 2 65 1           | published 2 2 65 1
    reset, done 60 s later; then 429  | published 49 2 1835 1        | published 49 2 1835 1
  `,
  withPicture: `
                           | bluesky            | bluesky login
    connection refused     | published 2 0 5 1  | published 2 0 5 1
    reset, not done        | published 2 1 5 1  | published 2 1 5 1
    reset, done            | published 1 1 0 1  | published 1 1 0 1
    reset, done 60 s later | published 2 1 5 1  | published 2 1 5 1
    no answer, not done    | published 2 1 35 1 | published 2 1 35 1
    answer after 10 min    | published 1 1 30 1 | published 1 1 30 1
    2xx cut in the middle  | published 1 1 0 1  | published 1 1 0 1
    500, not done          | published 2 1 5 1  | published 2 1 5 1
    500, done              | published 1 1 0 1  | published 1 1 0 1
    429 until in 60 s      | published 2 0 61 1 | published 2 0 61 1
  `,
  inThread: `
                               | bluesky                     | bluesky login
    connection refused         | published 2 0 5 3           | published 2 0 5 3
    reset, not done            | published 2 1 5 3           | published 2 1 5 3
    reset, done                | published 1 3 0 3           | published 1 3 0 3
    reset, done 60 s later     | published 2 1 5 3           | published 2 1 5 3
    no answer, not done        | published 2 1 35 3          | published 2 1 35 3
    answer after 10 min        | published 1 3 30 3          | published 1 3 30 3
    2xx cut in the middle      | published 1 3 0 3           | published 1 3 0 3
    500, not done              | published 2 1 5 3           | published 2 1 5 3
    500, done                  | published 1 3 0 3           | published 1 3 0 3
    reset, not done, for hours | network_error 49 98 1900 0  | network_error 49 98 1900 0
    429 until in 60 s          | published 2 0 61 3          | published 2 0 61 3
    400 in other words         | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  stage: `
                                   | bluesky                     | bluesky login
    connection refused             | published 2 1 0.5 1         | published 2 1 0.5 1
    connection refused, for hours  | network_error 138 0 1830 0  | network_error 138 0 1830 0
    certificate expired            | published 2 1 0.5 1         | published 2 1 0.5 1
    reset, not done                | published 2 1 0.5 1         | published 2 1 0.5 1
    reset, done                    | published 2 1 0.5 1         | published 2 1 0.5 1
    reset, done, for hours         | network_error 138 0 1830 0  | network_error 138 0 1830 0
    no answer, not done            | published 2 1 300.5 1       | published 3 1 300.5 1
    no answer, not done, for hours | network_error 9 0 2722.5 0  | network_error 9 0 2722.5 0
    answer after 5 s               | published 1 1 5 1           | published 1 1 5 1
    answer after 10 min            | published 2 1 300.5 1       | published 3 1 300.5 1
    drips for 5 s                  | published 1 1 5 1           | published 1 1 5 1
    drips for 10 min               | published 2 1 300.5 1       | published 3 1 300.5 1
    2xx cut in the middle          | published 2 1 0.5 1         | published 2 1 0.5 1
    2xx empty                      | published 2 1 5 1           | published 2 1 5 1
    2xx a page                     | published 2 1 5 1           | published 2 1 5 1
    2xx a page, for hours          | network_error 49 0 1835 0   | network_error 49 0 1835 0
    2xx another JSON               | published 2 1 5 1           | published 2 1 5 1
    2xx of 9 MiB                   | published 2 1 0.5 1         | published 2 1 0.5 1
    302, not done                  | published 2 1 0.5 1         | published 2 1 0.5 1
    500, not done                  | published 2 1 5 1           | published 2 1 5 1
    500, done                      | published 2 1 5 1           | published 2 1 5 1
    502, not done                  | published 2 1 0.5 1         | published 2 1 0.5 1
    503, not done, for hours       | network_error 138 0 1830 0  | network_error 138 0 1830 0
    504, done                      | published 2 1 0.5 1         | published 2 1 0.5 1
    409 in its own words, done     | published 2 1 0.5 1         | published 2 1 0.5 1
    429 until in 60 s              | published 2 1 61 1          | published 2 1 61 1
    429, end unknown, for hours    | network_error 49 0 1835 0   | network_error 49 0 1835 0
    400 in other words             | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  locateDone: `
                                | bluesky                | bluesky login
    connection refused          | published 1 2 0.5 1    | published 1 2 0.5 1
    reset, done                 | published 1 2 0.5 1    | published 1 2 0.5 1
    no answer, not done         | published 1 2 20.5 1   | published 1 2 20.5 1
    2xx cut in the middle       | published 1 2 0.5 1    | published 1 2 0.5 1
    2xx empty                   | published 1 2 30 1     | published 1 2 30 1
    2xx a page                  | published 1 2 30 1     | published 1 2 30 1
    2xx a page, for hours       | timeout 1 123 3635 1   | timeout 1 123 3635 1
    2xx another JSON            | published 1 2 30 1     | published 1 2 30 1
    2xx of 9 MiB                | published 1 2 0.5 1    | published 1 2 0.5 1
    302, not done               | published 1 2 0.5 1    | published 1 2 0.5 1
    500, not done               | published 1 2 0.5 1    | published 1 2 0.5 1
    503, not done, for hours    | timeout 1 339 3637.5 1 | timeout 1 339 3637.5 1
    429 until in 60 s           | published 1 2 61 1     | published 1 2 61 1
    429 until in 20 min         | published 1 2 1201 1   | published 1 2 1201 1
    429 until in 2 h            | published 1 2 7201 1   | published 1 2 7201 1
    429, end unknown, for hours | timeout 1 85 259200 1  | timeout 1 85 259200 1
    401 a page                  | published 1 2 0.5 1    | published 1 2 0.5 1
    401 in other words          | published 1 2 300 1    | published 1 2 300 1
    403 a page                  | published 1 2 0.5 1    | published 1 2 0.5 1
    403 in other words          | published 1 2 300 1    | published 1 2 300 1
    404 in other words          | published 1 2 30 1     | published 1 2 30 1
  `,
  locateNotDone: `
                             | bluesky                | bluesky login
    connection refused       | published 2 2 5.5 1    | published 2 2 5.5 1
    reset, done              | published 2 2 5.5 1    | published 2 2 5.5 1
    2xx a page               | published 2 2 35 1     | published 2 2 35 1
    503, not done, for hours | timeout 1 339 3637.5 0 | timeout 1 339 3637.5 0
    429 until in 60 s        | published 2 2 66 1     | published 2 2 66 1
    429 until in 2 h         | published 2 2 7206 1   | published 2 2 7206 1
    401 in other words       | published 2 2 305 1    | published 3 2 305 1
    403 in other words       | published 2 2 305 1    | published 3 2 305 1
  `,
  shownLate: `
          | bluesky           | bluesky login
    0 s   | published 1 1 0 1 | published 1 1 0 1
    60 s  | published 1 1 0 1 | published 1 1 0 1
    90 s  | published 1 1 0 1 | published 1 1 0 1
    120 s | published 1 1 0 1 | published 1 1 0 1
  `,
};
