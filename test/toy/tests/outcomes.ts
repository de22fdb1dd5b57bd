import type { OutcomeTables } from "../../publishing/outcomes.ts";

/** A post is looked for by its key before it is sent again, and the network takes each key once. */
export const outcomes: OutcomeTables = {
  notSent: `
                                  | toy
    host is not found             | published 2 0 5 1
    name look-up fails for now    | published 2 0 5 1
    connection refused            | published 2 0 5 1
    connection refused, 4 times   | published 5 0 75 1
    connection refused, for hours | network_error 49 0 1835 0
    host unreachable              | published 2 0 5 1
    no route                      | published 2 0 5 1
    connect timeout               | published 2 0 5 1
    connect timeout of the guard  | published 2 0 5 1
    address refused by the guard  | published 2 0 5 1
    certificate expired           | published 2 0 5 1
    certificate of another host   | published 2 0 5 1
  `,
  lost: `
                                   | toy
    reset, not done                | published 2 2 130 1
    reset, not done, 2 times       | published 3 4 265 1
    reset, not done, 3 times       | network_error 3 6 390 0
    reset, not done, for hours     | network_error 3 6 390 0
    reset, done                    | published 1 1 65 1
    reset, done, for hours         | published 1 1 65 1
    reset, done 4 s later          | published 1 1 65 1
    reset, done 60 s later         | published 1 1 65 1
    reset, done 90 s later         | published 1 2 125 1
    reset, done 10 min later       | published 2 2 130 1
    no answer, not done            | published 2 2 130 1
    no answer, not done, for hours | network_error 3 6 390 0
    answer after 5 s               | published 1 0 5 1
    answer after 10 min            | published 1 1 65 1
    drips for 5 s                  | published 1 0 5 1
    drips for 10 min               | published 1 1 65 1
  `,
  unreadable: `
                               | toy
    2xx cut in the middle      | published 1 1 65 1
    2xx empty                  | published 1 1 65 1
    2xx empty, not done        | published 2 2 130 1
    2xx a page                 | published 1 1 65 1
    2xx a page, not done       | published 2 2 130 1
    2xx a page, for hours      | published 1 1 65 1
    2xx another JSON           | published 1 1 65 1
    2xx another JSON, not done | published 2 2 130 1
    2xx of 9 MiB               | published 1 1 65 1
    2xx without a body (204)   | published 1 1 65 1
  `,
  redirects: `
                  | toy
    302, not done | published 2 2 130 1
    302, done     | published 1 1 65 1
    308, not done | published 2 2 130 1
    304, not done | published 2 2 130 1
  `,
  serverErrors: `
                                   | toy
    500, not done                  | published 2 2 130 1
    500, done                      | published 1 1 65 1
    501, not done                  | published 2 2 130 1
    501, done                      | published 1 1 65 1
    502, not done                  | published 2 2 130 1
    502, done                      | published 1 1 65 1
    503, not done                  | published 2 2 130 1
    503, done                      | published 1 1 65 1
    504, not done                  | published 2 2 130 1
    504, done                      | published 1 1 65 1
    520, not done                  | published 2 2 130 1
    520, done                      | published 1 1 65 1
    524, not done                  | published 2 2 130 1
    524, done                      | published 1 1 65 1
    500 in its own words, not done | published 2 2 130 1
    500 in its own words, done     | published 1 1 65 1
    503 in its own words, not done | published 2 2 130 1
    503 in its own words, done     | published 1 1 65 1
    503, not done, for hours       | network_error 3 6 390 0
  `,
  undecided: `
                                   | toy
    408 in its own words, not done | published 2 2 130 1
    408 in its own words, done     | published 1 1 65 1
    409 in its own words, not done | published 2 2 130 1
    409 in its own words, done     | published 1 1 65 1
    423 in its own words, not done | published 2 2 130 1
    423 in its own words, done     | published 1 1 65 1
    425 in its own words, not done | published 2 2 130 1
    425 in its own words, done     | published 1 1 65 1
    499 in its own words, not done | published 2 2 130 1
    499 in its own words, done     | published 1 1 65 1
  `,
  knownWords: `
                             | toy
    302 in known words, done | published 1 1 65 1
    408 in known words, done | published 1 1 65 1
    409 in known words, done | published 1 1 65 1
    499 in known words, done | published 1 1 65 1
    500 in known words, done | published 1 1 65 1
    502 in known words, done | published 1 1 65 1
    503 in known words, done | published 1 1 65 1
  `,
  limited: `
                                     | toy
    429 until in 60 s                | published 2 0 60 1
    429 until in 20 min              | published 2 0 1200 1
    429 until in 2 h                 | network_error 1 0 0 0
    429 until the year 9999          | network_error 1 0 0 0
    429 until 10 min ago             | published 2 0 5 1
    429 until 10 min ago, 4 times    | published 5 0 75 1
    429, Retry-After: 60             | published 2 0 60 1
    429 a page, Retry-After: 60      | published 2 0 60 1
    429, Retry-After: a date in 60 s | published 2 0 60 1
    429, end unknown                 | published 2 0 5 1
    429, end unknown, for hours      | network_error 49 0 1835 0
  `,
  refused: `
                       | toy
    401 a page         | reauthentication_required 1 0 0 0
    403 a page         | published 2 2 130 1
    404 a page         | published 2 2 130 1
    400 empty          | published 2 2 130 1
    400 in other words | rejected_by_network 1 0 0 0
    401 in other words | reauthentication_required 1 0 0 0
    403 in other words | rejected_by_network 1 0 0 0
    404 in other words | rejected_by_network 1 0 0 0
    418 in other words | rejected_by_network 1 0 0 0
    422 in other words | rejected_by_network 1 0 0 0
  `,
  severalTroubles: `
                                      | toy
    reset, done; then 500             | published 1 1 65 1
    reset, done; then 400             | published 1 1 65 1
    reset, done; then 401             | published 1 1 65 1
    reset, done; then 429             | published 1 1 65 1
    reset, done; then unreachable     | published 1 1 65 1
    reset, not done; then 500         | network_error 3 6 390 0
    reset, not done; then 400         | rejected_by_network 2 2 130 0
    reset, not done; then 401         | reauthentication_required 2 2 130 0
    reset, not done; then 429         | network_error 49 2 1960 0
    reset, not done; then unreachable | network_error 49 2 1960 0
    reset, done 60 s later; then 400  | published 1 1 65 1
    reset, done 60 s later; then 429  | published 1 1 65 1
  `,
};
