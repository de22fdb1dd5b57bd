import type { OutcomeTables } from "../../publishing/outcomes.ts";

/** What an organisation has posted is looked for; of a member nobody can tell. With a file, a post may take 2 min to show. */
export const outcomes: OutcomeTables = {
  notSent: `
                                  | linkedin organisation     | linkedin member
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
                                   | linkedin organisation   | linkedin member
    reset, not done                | published 2 2 130 1     | timeout 1 0 0 0
    reset, not done, 2 times       | published 3 4 265 1     | timeout 1 0 0 0
    reset, not done, 3 times       | network_error 3 6 390 0 | timeout 1 0 0 0
    reset, not done, for hours     | network_error 3 6 390 0 | timeout 1 0 0 0
    reset, done                    | published 1 1 65 1      | timeout 1 0 0 1
    reset, done, for hours         | published 1 1 65 1      | timeout 1 0 0 1
    reset, done 4 s later          | published 1 1 65 1      | timeout 1 0 0 1
    reset, done 60 s later         | published 1 1 65 1      | timeout 1 0 0 1
    reset, done 90 s later         | published 1 2 125 1     | timeout 1 0 0 1
    reset, done 10 min later       |                         | timeout 1 0 0 1
    no answer, not done            | published 2 2 130 1     | timeout 1 0 30 0
    no answer, not done, for hours | network_error 3 6 390 0 | timeout 1 0 30 0
    answer after 5 s               | published 1 0 5 1       | published 1 0 5 1
    answer after 10 min            | published 1 1 65 1      | timeout 1 0 30 1
    drips for 5 s                  | published 1 0 0 1       | published 1 0 0 1
    drips for 10 min               | published 1 0 0 1       | published 1 0 0 1
  `,
  unreadable: `
                               | linkedin organisation | linkedin member
    2xx cut in the middle      | published 1 0 0 1     | published 1 0 0 1
    2xx empty                  | published 1 1 65 1    | timeout 1 0 0 1
    2xx empty, not done        | published 2 2 130 1   | timeout 1 0 0 0
    2xx a page                 | published 1 1 65 1    | timeout 1 0 0 1
    2xx a page, not done       | published 2 2 130 1   | timeout 1 0 0 0
    2xx a page, for hours      | published 1 1 65 1    | timeout 1 0 0 1
    2xx another JSON           | published 1 1 65 1    | timeout 1 0 0 1
    2xx another JSON, not done | published 2 2 130 1   | timeout 1 0 0 0
    2xx of 9 MiB               | published 1 0 0 1     | published 1 0 0 1
    2xx without a body (204)   | published 1 1 65 1    | timeout 1 0 0 1
  `,
  redirects: `
                  | linkedin organisation | linkedin member
    302, not done | published 2 2 130 1   | timeout 1 0 0 0
    302, done     | published 1 1 65 1    | timeout 1 0 0 1
    308, not done | published 2 2 130 1   | timeout 1 0 0 0
    304, not done | published 2 2 130 1   | timeout 1 0 0 0
  `,
  serverErrors: `
                                   | linkedin organisation   | linkedin member
    500, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    500, done                      | published 1 1 65 1      | timeout 1 0 0 1
    501, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    501, done                      | published 1 1 65 1      | timeout 1 0 0 1
    502, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    502, done                      | published 1 1 65 1      | timeout 1 0 0 1
    503, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    503, done                      | published 1 1 65 1      | timeout 1 0 0 1
    504, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    504, done                      | published 1 1 65 1      | timeout 1 0 0 1
    520, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    520, done                      | published 1 1 65 1      | timeout 1 0 0 1
    524, not done                  | published 2 2 130 1     | timeout 1 0 0 0
    524, done                      | published 1 1 65 1      | timeout 1 0 0 1
    500 in its own words, not done | published 2 2 130 1     | timeout 1 0 0 0
    500 in its own words, done     | published 1 1 65 1      | timeout 1 0 0 1
    503 in its own words, not done | published 2 2 130 1     | timeout 1 0 0 0
    503 in its own words, done     | published 1 1 65 1      | timeout 1 0 0 1
    503, not done, for hours       | network_error 3 6 390 0 | timeout 1 0 0 0
  `,
  undecided: `
                                   | linkedin organisation | linkedin member
    408 in its own words, not done | published 2 2 130 1   | timeout 1 0 0 0
    408 in its own words, done     | published 1 1 65 1    | timeout 1 0 0 1
    409 in its own words, not done | published 2 2 130 1   | timeout 1 0 0 0
    409 in its own words, done     | published 1 1 65 1    | timeout 1 0 0 1
    423 in its own words, not done | published 2 2 130 1   | timeout 1 0 0 0
    423 in its own words, done     | published 1 1 65 1    | timeout 1 0 0 1
    425 in its own words, not done | published 2 2 130 1   | timeout 1 0 0 0
    425 in its own words, done     | published 1 1 65 1    | timeout 1 0 0 1
    499 in its own words, not done | published 2 2 130 1   | timeout 1 0 0 0
    499 in its own words, done     | published 1 1 65 1    | timeout 1 0 0 1
  `,
  knownWords: `
                             | linkedin organisation | linkedin member
    302 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
    408 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
    409 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
    499 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
    500 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
    502 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
    503 in known words, done | published 1 1 65 1    | timeout 1 0 0 1
  `,
  limited: `
                                     | linkedin organisation | linkedin member
    429 until in 60 s                | published 2 0 60 1    | published 2 0 60 1
    429 until in 20 min              | published 2 0 1200 1  | published 2 0 1200 1
    429 until in 2 h                 | network_error 1 0 0 0 | network_error 1 0 0 0
    429 until the year 9999          | network_error 1 0 0 0 | network_error 1 0 0 0
    429 until 10 min ago             | published 2 0 5 1     | published 2 0 5 1
    429 until 10 min ago, 4 times    | published 5 0 75 1    | published 5 0 75 1
    429, Retry-After: 60             | published 2 0 60 1    | published 2 0 60 1
    429 a page, Retry-After: 60      | published 2 0 60 1    | published 2 0 60 1
    429, Retry-After: a date in 60 s | published 2 0 60 1    | published 2 0 60 1
    429, end unknown                 | network_error 1 0 0 0 | network_error 1 0 0 0
    429, end unknown, for hours      | network_error 1 0 0 0 | network_error 1 0 0 0
  `,
  refused: `
                       | linkedin organisation       | linkedin member
    401 a page         | published 2 0 0 1           | published 2 0 0 1
    403 a page         | published 2 2 130 1         | timeout 1 0 0 0
    404 a page         | published 2 2 130 1         | timeout 1 0 0 0
    400 empty          | published 2 2 130 1         | timeout 1 0 0 0
    400 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    401 in other words | published 2 0 0 1           | published 2 0 0 1
    403 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    404 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    418 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    422 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  severalTroubles: `
                                      | linkedin organisation                 | linkedin member
    reset, done; then 500             | published 1 1 65 1                    | timeout 1 0 0 1
    reset, done; then 400             | published 1 1 65 1                    | timeout 1 0 0 1
    reset, done; then 401             | published 1 1 65 1                    | timeout 1 0 0 1
    reset, done; then 429             | published 1 1 65 1                    | timeout 1 0 0 1
    reset, done; then unreachable     | published 1 1 65 1                    | timeout 1 0 0 1
    reset, not done; then 500         | network_error 3 6 390 0               | timeout 1 0 0 0
    reset, not done; then 400         | rejected_by_network 2 2 130 0         | timeout 1 0 0 0
    reset, not done; then 401         | reauthentication_required 23 2 2040 0 | timeout 1 0 0 0
    reset, not done; then 429         | network_error 2 2 130 0               | timeout 1 0 0 0
    reset, not done; then unreachable | network_error 49 2 1960 0             | timeout 1 0 0 0
    reset, done 60 s later; then 400  | published 1 1 65 1                    | timeout 1 0 0 1
    reset, done 60 s later; then 429  | published 1 1 65 1                    | timeout 1 0 0 1
  `,
  withPicture: `
                           | linkedin organisation | linkedin member
    connection refused     | published 2 0 5 1     | published 2 0 15 1
    reset, not done        | published 2 2 220 1   | timeout 1 0 5 0
    reset, done            | published 1 1 155 1   | timeout 1 0 5 1
    reset, done 60 s later | published 1 1 155 1   | timeout 1 0 5 1
    no answer, not done    | published 2 2 220 1   | timeout 1 0 35 0
    answer after 10 min    | published 1 1 155 1   | timeout 1 0 35 1
    2xx cut in the middle  | published 1 0 0 1     | published 1 0 5 1
    500, not done          | published 2 2 220 1   | timeout 1 0 5 0
    500, done              | published 1 1 155 1   | timeout 1 0 5 1
    429 until in 60 s      | published 2 0 60 1    | published 2 0 65 1
  `,
  stage: `
                                   | linkedin organisation       | linkedin member
    connection refused             | published 2 1 0.5 1         |
    connection refused, for hours  | network_error 138 0 1830 0  |
    certificate expired            | published 2 1 0.5 1         |
    reset, not done                | published 2 1 0.5 1         |
    reset, done                    | published 2 1 0.5 1         |
    reset, done, for hours         | network_error 138 0 1830 0  |
    no answer, not done            | published 2 1 300.5 1       |
    no answer, not done, for hours | network_error 9 0 2722.5 0  |
    answer after 5 s               | published 1 1 5 1           |
    answer after 10 min            | published 2 1 300.5 1       |
    drips for 5 s                  | published 1 1 0 1           |
    drips for 10 min               | published 1 1 0 1           |
    2xx cut in the middle          | published 1 1 0 1           |
    2xx empty                      | published 1 1 0 1           |
    2xx a page                     | published 1 1 0 1           |
    2xx a page, for hours          | published 1 1 0 1           |
    2xx another JSON               | published 1 1 0 1           |
    2xx of 9 MiB                   | published 1 1 0 1           |
    302, not done                  | published 2 1 0.5 1         |
    500, not done                  | published 2 1 5 1           |
    500, done                      | published 2 1 5 1           |
    502, not done                  | published 2 1 0.5 1         |
    503, not done, for hours       | network_error 138 0 1830 0  |
    504, done                      | published 2 1 0.5 1         |
    409 in its own words, done     | published 2 1 0.5 1         |
    429 until in 60 s              | published 2 1 60 1          |
    429, end unknown, for hours    | network_error 1 0 0 0       |
    400 in other words             | rejected_by_network 1 0 0 0 |
  `,
  locateDone: `
                                | linkedin organisation  | linkedin member
    connection refused          | published 1 2 65.5 1   |
    reset, done                 | published 1 2 65.5 1   |
    no answer, not done         | published 1 2 85.5 1   |
    2xx cut in the middle       | published 1 2 65.5 1   |
    2xx empty                   | published 1 2 95 1     |
    2xx a page                  | published 1 2 95 1     |
    2xx a page, for hours       | timeout 1 120 3635 1   |
    2xx another JSON            | published 1 2 95 1     |
    2xx of 9 MiB                | published 1 2 65.5 1   |
    302, not done               | published 1 2 65.5 1   |
    500, not done               | published 1 2 65.5 1   |
    503, not done, for hours    | timeout 1 333 3637.5 1 |
    429 until in 60 s           | published 1 2 125 1    |
    429 until in 20 min         | published 1 2 1265 1   |
    429 until in 2 h            | published 1 2 7265 1   |
    429, end unknown, for hours | timeout 1 5 259200 1   |
    401 a page                  | published 1 2 65 1     |
    401 in other words          | published 1 2 65 1     |
    403 a page                  | published 1 2 65.5 1   |
    403 in other words          | published 1 2 365 1    |
    404 in other words          | timeout 1 1 65 1       |
  `,
  locateNotDone: `
                             | linkedin organisation  | linkedin member
    connection refused       | published 2 3 130.5 1  |
    reset, done              | published 2 3 130.5 1  |
    2xx a page               | published 2 3 160 1    |
    503, not done, for hours | timeout 1 333 3637.5 0 |
    429 until in 60 s        | published 2 3 190 1    |
    429 until in 2 h         | published 2 3 7330 1   |
    401 in other words       | published 2 3 130 1    |
    403 in other words       | published 2 3 430 1    |
  `,
  shownLate: `
          | linkedin organisation | linkedin member
    0 s   | published 1 1 65 1    |
    60 s  | published 1 1 65 1    |
    90 s  | published 1 2 125 1   |
    120 s | published 1 2 125 1   |
  `,
  shownAfterAnother: `
          | linkedin organisation | linkedin member
    250 s | published 2 4 255 1   |
  `,
};
