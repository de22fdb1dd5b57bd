import type { OutcomeTables } from "../../publishing/outcomes.ts";

/**
 * A film may be taken for five minutes after its last chunk was given up. What YouTube has said yes to is looked at
 * after five seconds, and before each further request the upload is asked how far it is. Where that is forgotten once
 * it is finished, the channel's list of uploads is read.
 */
export const outcomes: OutcomeTables = {
  notSent: `
                                  | youtube                    | youtube that forgets uploads
    host is not found             | published 2 2 10 1         | published 2 2 10 1
    name look-up fails for now    | published 2 2 10 1         | published 2 2 10 1
    connection refused            | published 2 2 10 1         | published 2 2 10 1
    connection refused, 4 times   | published 5 5 80 1         | published 5 5 80 1
    connection refused, for hours | network_error 49 48 1835 0 | network_error 49 48 1835 0
    host unreachable              | published 2 2 10 1         | published 2 2 10 1
    no route                      | published 2 2 10 1         | published 2 2 10 1
    connect timeout               | published 2 2 10 1         | published 2 2 10 1
    connect timeout of the guard  | published 2 2 10 1         | published 2 2 10 1
    address refused by the guard  | published 2 2 10 1         | published 2 2 10 1
    certificate expired           | published 2 2 10 1         | published 2 2 10 1
    certificate of another host   | published 2 2 10 1         | published 2 2 10 1
  `,
  lost: `
                                   | youtube                  | youtube that forgets uploads
    reset, not done                | published 2 4 495 1      | published 2 4 495 1
    reset, not done, 2 times       | published 3 7 990 1      | published 3 7 990 1
    reset, not done, 3 times       | network_error 3 8 1470 0 | network_error 3 8 1470 0
    reset, not done, for hours     | network_error 3 8 1470 0 | network_error 3 8 1470 0
    reset, done                    | published 1 2 425 1      | published 1 2 425 1
    reset, done, for hours         | published 1 2 425 1      | published 1 2 425 1
    reset, done 4 s later          | published 1 2 425 1      | published 1 2 425 1
    reset, done 60 s later         | published 1 2 425 1      | published 1 2 425 1
    reset, done 90 s later         | published 1 2 425 1      | published 1 2 425 1
    reset, done 10 min later       |                          |
    no answer, not done            | published 2 4 495 1      | published 2 4 495 1
    no answer, not done, for hours | network_error 3 8 1470 0 | network_error 3 8 1470 0
    answer after 5 s               | published 1 1 10 1       | published 1 1 10 1
    answer after 10 min            | published 1 2 425 1      | published 1 2 425 1
    drips for 5 s                  | published 1 1 10 1       | published 1 1 10 1
    drips for 10 min               | published 1 2 425 1      | published 1 2 425 1
  `,
  unreadable: `
                               | youtube             | youtube that forgets uploads
    2xx cut in the middle      | published 1 2 425 1 | published 1 2 425 1
    2xx empty                  | published 1 2 425 1 | published 1 2 425 1
    2xx empty, not done        | published 2 4 495 1 | published 2 4 495 1
    2xx a page                 | published 1 2 425 1 | published 1 2 425 1
    2xx a page, not done       | published 2 4 495 1 | published 2 4 495 1
    2xx a page, for hours      | published 1 2 425 1 | published 1 2 425 1
    2xx another JSON           | published 1 2 425 1 | published 1 2 425 1
    2xx another JSON, not done | published 2 4 495 1 | published 2 4 495 1
    2xx of 9 MiB               | published 1 2 425 1 | published 1 2 425 1
    2xx without a body (204)   | published 1 2 425 1 | published 1 2 425 1
  `,
  redirects: `
                  | youtube             | youtube that forgets uploads
    302, not done | published 2 4 495 1 | published 2 4 495 1
    302, done     | published 1 2 425 1 | published 1 2 425 1
    308, not done | published 2 4 495 1 | published 2 4 495 1
    304, not done | published 2 4 495 1 | published 2 4 495 1
  `,
  serverErrors: `
                                   | youtube                  | youtube that forgets uploads
    500, not done                  | published 2 4 495 1      | published 2 4 495 1
    500, done                      | published 1 2 425 1      | published 1 2 425 1
    501, not done                  | published 2 4 495 1      | published 2 4 495 1
    501, done                      | published 1 2 425 1      | published 1 2 425 1
    502, not done                  | published 2 4 495 1      | published 2 4 495 1
    502, done                      | published 1 2 425 1      | published 1 2 425 1
    503, not done                  | published 2 4 495 1      | published 2 4 495 1
    503, done                      | published 1 2 425 1      | published 1 2 425 1
    504, not done                  | published 2 4 495 1      | published 2 4 495 1
    504, done                      | published 1 2 425 1      | published 1 2 425 1
    520, not done                  | published 2 4 495 1      | published 2 4 495 1
    520, done                      | published 1 2 425 1      | published 1 2 425 1
    524, not done                  | published 2 4 495 1      | published 2 4 495 1
    524, done                      | published 1 2 425 1      | published 1 2 425 1
    500 in its own words, not done | published 2 4 495 1      | published 2 4 495 1
    500 in its own words, done     | published 1 2 425 1      | published 1 2 425 1
    503 in its own words, not done | published 2 4 495 1      | published 2 4 495 1
    503 in its own words, done     | published 1 2 425 1      | published 1 2 425 1
    503, not done, for hours       | network_error 3 8 1470 0 | network_error 3 8 1470 0
  `,
  undecided: `
                                   | youtube             | youtube that forgets uploads
    408 in its own words, not done | published 2 4 495 1 | published 2 4 495 1
    408 in its own words, done     | published 1 2 425 1 | published 1 2 425 1
    409 in its own words, not done | published 2 4 495 1 | published 2 4 495 1
    409 in its own words, done     | published 1 2 425 1 | published 1 2 425 1
    423 in its own words, not done | published 2 4 495 1 | published 2 4 495 1
    423 in its own words, done     | published 1 2 425 1 | published 1 2 425 1
    425 in its own words, not done | published 2 4 495 1 | published 2 4 495 1
    425 in its own words, done     | published 1 2 425 1 | published 1 2 425 1
    499 in its own words, not done | published 2 4 495 1 | published 2 4 495 1
    499 in its own words, done     | published 1 2 425 1 | published 1 2 425 1
  `,
  knownWords: `
                             | youtube             | youtube that forgets uploads
    302 in known words, done | published 1 2 425 1 | published 1 2 425 1
    408 in known words, done | published 1 2 425 1 | published 1 2 425 1
    409 in known words, done | published 1 2 425 1 | published 1 2 425 1
    499 in known words, done | published 1 2 425 1 | published 1 2 425 1
    500 in known words, done | published 1 2 425 1 | published 1 2 425 1
    502 in known words, done | published 1 2 425 1 | published 1 2 425 1
    503 in known words, done | published 1 2 425 1 | published 1 2 425 1
  `,
  limited: `
                                     | youtube                    | youtube that forgets uploads
    429 until in 60 s                | published 2 2 65 1         | published 2 2 65 1
    429 until in 20 min              | published 2 2 1205 1       | published 2 2 1205 1
    429 until in 2 h                 | network_error 1 0 0 0      | network_error 1 0 0 0
    429 until the year 9999          | network_error 1 0 0 0      | network_error 1 0 0 0
    429 until 10 min ago             | published 2 2 10 1         | published 2 2 10 1
    429 until 10 min ago, 4 times    | published 5 5 80 1         | published 5 5 80 1
    429, Retry-After: 60             | published 2 2 65 1         | published 2 2 65 1
    429 a page, Retry-After: 60      | published 2 2 65 1         | published 2 2 65 1
    429, Retry-After: a date in 60 s | published 2 2 65 1         | published 2 2 65 1
    429, end unknown                 | published 2 2 10 1         | published 2 2 10 1
    429, end unknown, for hours      | network_error 49 48 1835 0 | network_error 49 48 1835 0
  `,
  refused: `
                       | youtube                     | youtube that forgets uploads
    401 a page         | published 2 2 5 1           | published 2 2 5 1
    403 a page         | published 2 4 495 1         | published 2 4 495 1
    404 a page         | published 2 1 5 1           | published 2 1 5 1
    400 empty          | published 2 4 495 1         | published 2 4 495 1
    400 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    401 in other words | published 2 2 5 1           | published 2 2 5 1
    403 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    404 in other words | published 2 1 5 1           | published 2 1 5 1
    418 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    422 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  severalTroubles: `
                                      | youtube                                | youtube that forgets uploads
    reset, done; then 500             | published 1 2 425 1                    | published 1 2 425 1
    reset, done; then 400             | published 1 2 425 1                    | published 1 2 425 1
    reset, done; then 401             | published 1 2 425 1                    | published 1 2 425 1
    reset, done; then 429             | published 1 2 425 1                    | published 1 2 425 1
    reset, done; then unreachable     | published 1 2 425 1                    | published 1 2 425 1
    reset, not done; then 500         | network_error 3 8 1470 0               | network_error 3 8 1470 0
    reset, not done; then 400         | rejected_by_network 2 3 490 0          | rejected_by_network 2 3 490 0
    reset, not done; then 401         | reauthentication_required 23 24 2400 0 | reauthentication_required 23 24 2400 0
    reset, not done; then 429         | network_error 49 50 2320 0             | network_error 49 50 2320 0
    reset, not done; then unreachable | network_error 49 50 2320 0             | network_error 49 50 2320 0
    reset, done 60 s later; then 400  | published 1 2 425 1                    | published 1 2 425 1
    reset, done 60 s later; then 429  | published 1 2 425 1                    | published 1 2 425 1
  `,
  stage: `
                                   | youtube                     | youtube that forgets uploads
    connection refused             | published 2 1 5.5 1         | published 2 1 5.5 1
    connection refused, for hours  | network_error 138 0 1830 0  | network_error 138 0 1830 0
    certificate expired            | published 2 1 5.5 1         | published 2 1 5.5 1
    reset, not done                | published 2 1 5.5 1         | published 2 1 5.5 1
    reset, done                    | published 2 1 5.5 1         | published 2 1 5.5 1
    reset, done, for hours         | network_error 138 0 1830 0  | network_error 138 0 1830 0
    no answer, not done            | published 2 1 25.5 1        | published 2 1 25.5 1
    no answer, not done, for hours | network_error 60 0 1925 0   | network_error 60 0 1925 0
    answer after 5 s               | published 1 1 10 1          | published 1 1 10 1
    answer after 10 min            | published 2 1 25.5 1        | published 2 1 25.5 1
    drips for 5 s                  | published 1 1 5 1           | published 1 1 5 1
    drips for 10 min               | published 1 1 5 1           | published 1 1 5 1
    2xx cut in the middle          | published 1 1 5 1           | published 1 1 5 1
    2xx empty                      | published 2 1 10 1          | published 2 1 10 1
    2xx a page                     | published 2 1 10 1          | published 2 1 10 1
    2xx a page, for hours          | network_error 49 0 1835 0   | network_error 49 0 1835 0
    2xx another JSON               | published 2 1 10 1          | published 2 1 10 1
    2xx of 9 MiB                   | published 1 1 5 1           | published 1 1 5 1
    302, not done                  | published 2 1 5.5 1         | published 2 1 5.5 1
    500, not done                  | published 2 1 5.5 1         | published 2 1 5.5 1
    500, done                      | published 2 1 5.5 1         | published 2 1 5.5 1
    502, not done                  | published 2 1 5.5 1         | published 2 1 5.5 1
    503, not done, for hours       | network_error 138 0 1830 0  | network_error 138 0 1830 0
    504, done                      | published 2 1 5.5 1         | published 2 1 5.5 1
    409 in its own words, done     | published 2 1 5.5 1         | published 2 1 5.5 1
    429 until in 60 s              | published 2 1 65 1          | published 2 1 65 1
    429, end unknown, for hours    | network_error 49 0 1835 0   | network_error 49 0 1835 0
    400 in other words             | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  confirm: {
    options: { youtube: { thumbnail: "https://media.sandbox.example/thumbnail.jpg" } },
    table: `
                                     | youtube              | youtube that forgets uploads
      connection refused             | published 1 2 10 1   | published 1 2 10 1
      connection refused, for hours  | published 1 7 160 1  | published 1 7 160 1
      reset, not done                | published 1 2 10 1   | published 1 2 10 1
      reset, done                    | published 1 2 10 1   | published 1 2 10 1
      reset, done, for hours         | published 1 7 160 1  | published 1 7 160 1
      no answer, not done            | published 1 2 310 1  | published 1 2 310 1
      no answer, not done, for hours | published 1 2 610 1  | published 1 2 610 1
      answer after 10 min            | published 1 2 310 1  | published 1 2 310 1
      2xx cut in the middle          | published 1 2 10 1   | published 1 2 10 1
      2xx a page                     | published 1 1 5 1    | published 1 1 5 1
      302, not done                  | published 1 2 10 1   | published 1 2 10 1
      500, not done                  | published 1 2 10 1   | published 1 2 10 1
      500, done                      | published 1 2 10 1   | published 1 2 10 1
      503, not done, for hours       | published 1 7 160 1  | published 1 7 160 1
      429 until in 60 s              | published 1 2 65 1   | published 1 2 65 1
      429, end unknown, for hours    | published 1 7 160 1  | published 1 7 160 1
      400 in other words             | published 1 1 5 1    | published 1 1 5 1
      401 in other words             | published 1 2 5 1    | published 1 2 5 1
      403 a page                     | published 1 2 10 1   | published 1 2 10 1
    `,
  },
  locateDone: `
                                | youtube                | youtube that forgets uploads
    connection refused          | published 1 3 425.5 1  | published 1 3 425.5 1
    reset, done                 | published 1 3 425.5 1  | published 1 3 425.5 1
    no answer, not done         | published 1 3 445.5 1  | published 1 3 445.5 1
    2xx cut in the middle       | published 1 3 425.5 1  | published 1 3 425.5 1
    2xx empty                   | published 1 3 455 1    | published 1 3 455 1
    2xx a page                  | published 1 3 455 1    | published 1 3 455 1
    2xx a page, for hours       | timeout 1 111 3725 1   | timeout 1 111 3725 1
    2xx another JSON            | published 1 3 455 1    | published 1 3 455 1
    2xx of 9 MiB                | published 1 3 425.5 1  | published 1 3 425.5 1
    302, not done               | published 1 3 425.5 1  | published 1 3 425.5 1
    500, not done               | published 1 3 425.5 1  | published 1 3 425.5 1
    503, not done, for hours    | timeout 1 309 3727.5 1 | timeout 1 309 3727.5 1
    429 until in 60 s           | published 1 3 485 1    | published 1 3 485 1
    429 until in 20 min         | published 1 3 1625 1   | published 1 3 1625 1
    429 until in 2 h            | published 1 4 7625 1   | published 1 4 7625 1
    429, end unknown, for hours | timeout 1 83 259200 1  | timeout 1 83 259200 1
    401 a page                  | published 1 3 425 1    | published 1 3 425 1
    401 in other words          | published 1 3 425 1    | published 1 3 425 1
    403 a page                  | published 1 3 425.5 1  | published 1 3 425.5 1
    403 in other words          | published 1 3 725 1    | published 1 3 725 1
    404 in other words          | published 1 2 425 1    | published 1 2 425 1
  `,
  locateNotDone: `
                             | youtube                | youtube that forgets uploads
    connection refused       | published 2 5 495.5 1  | published 2 5 495.5 1
    reset, done              | published 2 5 495.5 1  | published 2 5 495.5 1
    2xx a page               | published 2 5 525 1    | published 2 5 525 1
    503, not done, for hours | timeout 1 309 3727.5 0 | timeout 1 309 3727.5 0
    429 until in 60 s        | published 2 5 555 1    | published 2 5 555 1
    429 until in 2 h         | published 2 6 7695 1   | published 2 6 7695 1
    401 in other words       | published 2 5 495 1    | published 2 5 495 1
    403 in other words       | published 2 5 795 1    | published 2 5 795 1
  `,
  shownLate: `
          | youtube             | youtube that forgets uploads
    0 s   | published 1 2 425 1 | published 1 2 425 1
    60 s  | published 1 2 425 1 | published 1 2 425 1
    90 s  | published 1 2 425 1 | published 1 2 425 1
    120 s | published 1 2 425 1 | published 1 2 425 1
  `,
};
