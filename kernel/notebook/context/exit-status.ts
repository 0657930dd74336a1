/** The exit statuses of `run`, `test` and `verify`; in all of them a cell may choose another one by `process.exit`. */
export const EXIT = {
  ok: 0,
  cellFailed: 1,
  usage: 2,
  noResponse: 3,
  interrupted: 130,
  terminated: 143,
} as const;
