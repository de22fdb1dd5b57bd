import type { OutcomeTables } from "../../publishing/outcomes.ts";

/** Nothing is repeated before it was looked for. With a file, a post may take 2 min to show. */
export const outcomes: OutcomeTables = {
  notSent: `
                                  | x                         | x that forgets texts
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
                                   | x                       | x that forgets texts
    reset, not done                | published 2 2 130 1     | published 2 2 130 1
    reset, not done, 2 times       | published 3 4 265 1     | published 3 4 265 1
    reset, not done, 3 times       | network_error 3 6 390 0 | network_error 3 6 390 0
    reset, not done, for hours     | network_error 3 6 390 0 | network_error 3 6 390 0
    reset, done                    | published 1 1 65 1      | published 1 1 65 1
    reset, done, for hours         | published 1 1 65 1      | published 1 1 65 1
    reset, done 4 s later          | published 1 1 65 1      | published 1 1 65 1
    reset, done 60 s later         | published 1 1 65 1      | published 1 1 65 1
    reset, done 90 s later         | published 1 2 125 1     | published 1 2 125 1
    reset, done 10 min later       |                         |
    no answer, not done            | published 2 2 130 1     | published 2 2 130 1
    no answer, not done, for hours | network_error 3 6 390 0 | network_error 3 6 390 0
    answer after 5 s               | published 1 0 5 1       | published 1 0 5 1
    answer after 10 min            | published 1 1 65 1      | published 1 1 65 1
    drips for 5 s                  | published 1 0 5 1       | published 1 0 5 1
    drips for 10 min               | published 1 1 65 1      | published 1 1 65 1
  `,
  unreadable: `
                               | x                   | x that forgets texts
    2xx cut in the middle      | published 1 1 65 1  | published 1 1 65 1
    2xx empty                  | published 1 1 65 1  | published 1 1 65 1
    2xx empty, not done        | published 2 2 130 1 | published 2 2 130 1
    2xx a page                 | published 1 1 65 1  | published 1 1 65 1
    2xx a page, not done       | published 2 2 130 1 | published 2 2 130 1
    2xx a page, for hours      | published 1 1 65 1  | published 1 1 65 1
    2xx another JSON           | published 1 1 65 1  | published 1 1 65 1
    2xx another JSON, not done | published 2 2 130 1 | published 2 2 130 1
    2xx of 9 MiB               | published 1 1 65 1  | published 1 1 65 1
    2xx without a body (204)   | published 1 1 65 1  | published 1 1 65 1
  `,
  redirects: `
                  | x                   | x that forgets texts
    302, not done | published 2 2 130 1 | published 2 2 130 1
    302, done     | published 1 1 65 1  | published 1 1 65 1
    308, not done | published 2 2 130 1 | published 2 2 130 1
    304, not done | published 2 2 130 1 | published 2 2 130 1
  `,
  serverErrors: `
                                   | x                       | x that forgets texts
    500, not done                  | published 2 2 130 1     | published 2 2 130 1
    500, done                      | published 1 1 65 1      | published 1 1 65 1
    501, not done                  | published 2 2 130 1     | published 2 2 130 1
    501, done                      | published 1 1 65 1      | published 1 1 65 1
    502, not done                  | published 2 2 130 1     | published 2 2 130 1
    502, done                      | published 1 1 65 1      | published 1 1 65 1
    503, not done                  | published 2 2 130 1     | published 2 2 130 1
    503, done                      | published 1 1 65 1      | published 1 1 65 1
    504, not done                  | published 2 2 130 1     | published 2 2 130 1
    504, done                      | published 1 1 65 1      | published 1 1 65 1
    520, not done                  | published 2 2 130 1     | published 2 2 130 1
    520, done                      | published 1 1 65 1      | published 1 1 65 1
    524, not done                  | published 2 2 130 1     | published 2 2 130 1
    524, done                      | published 1 1 65 1      | published 1 1 65 1
    500 in its own words, not done | published 2 2 130 1     | published 2 2 130 1
    500 in its own words, done     | published 1 1 65 1      | published 1 1 65 1
    503 in its own words, not done | published 2 2 130 1     | published 2 2 130 1
    503 in its own words, done     | published 1 1 65 1      | published 1 1 65 1
    503, not done, for hours       | network_error 3 6 390 0 | network_error 3 6 390 0
  `,
  undecided: `
                                   | x                   | x that forgets texts
    408 in its own words, not done | published 2 2 130 1 | published 2 2 130 1
    408 in its own words, done     | published 1 1 65 1  | published 1 1 65 1
    409 in its own words, not done | published 2 2 130 1 | published 2 2 130 1
    409 in its own words, done     | published 1 1 65 1  | published 1 1 65 1
    423 in its own words, not done | published 2 2 130 1 | published 2 2 130 1
    423 in its own words, done     | published 1 1 65 1  | published 1 1 65 1
    425 in its own words, not done | published 2 2 130 1 | published 2 2 130 1
    425 in its own words, done     | published 1 1 65 1  | published 1 1 65 1
    499 in its own words, not done | published 2 2 130 1 | published 2 2 130 1
    499 in its own words, done     | published 1 1 65 1  | published 1 1 65 1
  `,
  knownWords: `
                             | x                  | x that forgets texts
    302 in known words, done | published 1 1 65 1 | published 1 1 65 1
    408 in known words, done | published 1 1 65 1 | published 1 1 65 1
    409 in known words, done | published 1 1 65 1 | published 1 1 65 1
    499 in known words, done | published 1 1 65 1 | published 1 1 65 1
    500 in known words, done | published 1 1 65 1 | published 1 1 65 1
    502 in known words, done | published 1 1 65 1 | published 1 1 65 1
    503 in known words, done | published 1 1 65 1 | published 1 1 65 1
  `,
  limited: `
                                     | x                         | x that forgets texts
    429 until in 60 s                | published 2 0 61 1        | published 2 0 61 1
    429 until in 20 min              | published 2 0 1201 1      | published 2 0 1201 1
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
                       | x                           | x that forgets texts
    401 a page         | published 2 0 0 1           | published 2 0 0 1
    403 a page         | published 2 2 130 1         | published 2 2 130 1
    404 a page         | published 2 2 130 1         | published 2 2 130 1
    400 empty          | published 2 2 130 1         | published 2 2 130 1
    400 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    401 in other words | published 2 0 0 1           | published 2 0 0 1
    403 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    404 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    418 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
    422 in other words | rejected_by_network 1 0 0 0 | rejected_by_network 1 0 0 0
  `,
  severalTroubles: `
                                      | x                                     | x that forgets texts
    reset, done; then 500             | published 1 1 65 1                    | published 1 1 65 1
    reset, done; then 400             | published 1 1 65 1                    | published 1 1 65 1
    reset, done; then 401             | published 1 1 65 1                    | published 1 1 65 1
    reset, done; then 429             | published 1 1 65 1                    | published 1 1 65 1
    reset, done; then unreachable     | published 1 1 65 1                    | published 1 1 65 1
    reset, not done; then 500         | network_error 3 6 390 0               | network_error 3 6 390 0
    reset, not done; then 400         | rejected_by_network 2 2 130 0         | rejected_by_network 2 2 130 0
    reset, not done; then 401         | reauthentication_required 23 2 2040 0 | reauthentication_required 23 2 2040 0
    reset, not done; then 429         | network_error 49 2 1960 0             | network_error 49 2 1960 0
    reset, not done; then unreachable | network_error 49 2 1960 0             | network_error 49 2 1960 0
    reset, done 60 s later; then 400  | published 1 1 65 1                    | published 1 1 65 1
    reset, done 60 s later; then 429  | published 1 1 65 1                    | published 1 1 65 1
  `,
  withPicture: `
                           | x                   | x that forgets texts
    connection refused     | published 2 0 5 1   | published 2 0 5 1
    reset, not done        | published 2 2 220 1 | published 2 2 220 1
    reset, done            | published 1 1 155 1 | published 1 1 155 1
    reset, done 60 s later | published 1 1 155 1 | published 1 1 155 1
    no answer, not done    | published 2 2 220 1 | published 2 2 220 1
    answer after 10 min    | published 1 1 155 1 | published 1 1 155 1
    2xx cut in the middle  | published 1 1 155 1 | published 1 1 155 1
    500, not done          | published 2 2 220 1 | published 2 2 220 1
    500, done              | published 1 1 155 1 | published 1 1 155 1
    429 until in 60 s      | published 2 0 61 1  | published 2 0 61 1
  `,
  inThread: `
                               | x                           | x that forgets texts
    connection refused         | published 4 0 5 3           | published 4 0 5 3
    reset, not done            | published 4 2 130 3         | published 4 2 130 3
    reset, done                | published 3 1 65 3          | published 3 1 65 3
    reset, done 60 s later     | published 3 1 65 3          | published 3 1 65 3
    no answer, not done        | published 4 2 130 3         | published 4 2 130 3
    answer after 10 min        | published 3 1 65 3          | published 3 1 65 3
    2xx cut in the middle      | published 3 1 65 3          | published 3 1 65 3
    500, not done              | published 4 2 130 3         | published 4 2 130 3
    500, done                  | published 3 1 65 3          | published 3 1 65 3
    reset, not done, for hours | network_error 4 6 390 1     | network_error 4 6 390 1
    429 until in 60 s          | published 4 0 61 3          | published 4 0 61 3
    400 in other words         | rejected_by_network 2 0 0 1 | rejected_by_network 2 0 0 1
  `,
  stage: `
                                   | x                          | x that forgets texts
    connection refused             | published 2 1 0.5 1        | published 2 1 0.5 1
    connection refused, for hours  | network_error 138 0 1830 0 | network_error 138 0 1830 0
    certificate expired            | published 2 1 0.5 1        | published 2 1 0.5 1
    reset, not done                | published 2 1 0.5 1        | published 2 1 0.5 1
    reset, done                    | published 2 1 0.5 1        | published 2 1 0.5 1
    reset, done, for hours         | network_error 138 0 1830 0 | network_error 138 0 1830 0
    no answer, not done            | published 2 1 300.5 1      | published 2 1 300.5 1
    no answer, not done, for hours | network_error 9 0 2722.5 0 | network_error 9 0 2722.5 0
    answer after 5 s               | published 1 1 5 1          | published 1 1 5 1
    answer after 10 min            | published 2 1 300.5 1      | published 2 1 300.5 1
    drips for 5 s                  | published 1 1 5 1          | published 1 1 5 1
    drips for 10 min               | published 2 1 300.5 1      | published 2 1 300.5 1
    2xx cut in the middle          | published 2 1 0.5 1        | published 2 1 0.5 1
    2xx empty                      | published 1 1 0 1          | published 1 1 0 1
    2xx a page                     | published 1 1 0 1          | published 1 1 0 1
    2xx a page, for hours          | published 1 1 0 1          | published 1 1 0 1
    2xx another JSON               | published 1 1 0 1          | published 1 1 0 1
    2xx of 9 MiB                   | published 2 1 0.5 1        | published 2 1 0.5 1
    302, not done                  | published 2 1 0.5 1        | published 2 1 0.5 1
    500, not done                  | published 2 1 5 1          | published 2 1 5 1
    500, done                      | published 2 1 5 1          | published 2 1 5 1
    502, not done                  | published 2 1 0.5 1        | published 2 1 0.5 1
    503, not done, for hours       | network_error 138 0 1830 0 | network_error 138 0 1830 0
    504, done                      | published 2 1 0.5 1        | published 2 1 0.5 1
    409 in its own words, done     | published 2 1 0.5 1        | published 2 1 0.5 1
    429 until in 60 s              | published 2 1 61 1         | published 2 1 61 1
    429, end unknown, for hours    | network_error 49 0 1835 0  | network_error 49 0 1835 0
    400 in other words             | media_error 1 0 0 0        | media_error 1 0 0 0
  `,
  locateDone: `
                                | x                      | x that forgets texts
    connection refused          | published 1 2 65.5 1   | published 1 2 65.5 1
    reset, done                 | published 1 2 65.5 1   | published 1 2 65.5 1
    no answer, not done         | published 1 2 85.5 1   | published 1 2 85.5 1
    2xx cut in the middle       | published 1 2 65.5 1   | published 1 2 65.5 1
    2xx empty                   | published 1 2 95 1     | published 1 2 95 1
    2xx a page                  | published 1 2 95 1     | published 1 2 95 1
    2xx a page, for hours       | timeout 1 120 3635 1   | timeout 1 120 3635 1
    2xx another JSON            | published 1 2 95 1     | published 1 2 95 1
    2xx of 9 MiB                | published 1 2 65.5 1   | published 1 2 65.5 1
    302, not done               | published 1 2 65.5 1   | published 1 2 65.5 1
    500, not done               | published 1 2 65.5 1   | published 1 2 65.5 1
    503, not done, for hours    | timeout 1 333 3637.5 1 | timeout 1 333 3637.5 1
    429 until in 60 s           | published 1 2 95 1     | published 1 2 95 1
    429 until in 20 min         | published 1 2 1201 1   | published 1 2 1201 1
    429 until in 2 h            | published 1 3 7201 1   | published 1 3 7201 1
    429, end unknown, for hours | timeout 1 84 259200 1  | timeout 1 84 259200 1
    401 a page                  | published 1 2 65 1     | published 1 2 65 1
    401 in other words          | published 1 2 65 1     | published 1 2 65 1
    403 a page                  | published 1 2 65.5 1   | published 1 2 65.5 1
    403 in other words          | published 1 2 365 1    | published 1 2 365 1
    404 in other words          | timeout 1 1 65 1       | timeout 1 1 65 1
  `,
  locateNotDone: `
                             | x                      | x that forgets texts
    connection refused       | published 2 3 130.5 1  | published 2 3 130.5 1
    reset, done              | published 2 3 130.5 1  | published 2 3 130.5 1
    2xx a page               | published 2 3 160 1    | published 2 3 160 1
    503, not done, for hours | timeout 1 333 3637.5 0 | timeout 1 333 3637.5 0
    429 until in 60 s        | published 2 3 160 1    | published 2 3 160 1
    429 until in 2 h         | published 2 4 7266 1   | published 2 4 7266 1
    401 in other words       | published 2 3 130 1    | published 2 3 130 1
    403 in other words       | published 2 3 430 1    | published 2 3 430 1
  `,
  shownLate: `
          | x                   | x that forgets texts
    0 s   | published 1 1 65 1  | published 1 1 65 1
    60 s  | published 1 1 65 1  | published 1 1 65 1
    90 s  | published 1 2 125 1 | published 1 2 125 1
    120 s | published 1 2 125 1 | published 1 2 125 1
  `,
  shownAfterAnother: `
          | x                   | x that forgets texts
    250 s | published 2 4 255 1 | published 2 4 255 1
  `,
};
