const SIZES = ["kB", "MB", "GB", "TB"];

/** Formats a size in decimal units: `512 bytes`, `1.2 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return "1 byte";
  if (bytes < 1000) return `${bytes} bytes`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < SIZES.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${SIZES[unit]}`;
}

/** Formats a duration: `0.4 ms`, `12 ms`, `3.2 s`, `2 min 5 s`. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 9.95) return `${Math.round(milliseconds * 10) / 10} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats how long an answer has been waited for: `waiting 3 s of 30 s`. */
export function formatWaiting(elapsed: number, timeout: number | undefined): string {
  const most = timeout === undefined ? "" : ` of ${formatSeconds(timeout)}`;
  return `waiting ${formatSeconds(elapsed)}${most}`;
}

function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds < 1 ? seconds.toFixed(1) : Math.floor(seconds)} s`;
}

/** Formats a count with its noun: `1 row`, `1,234 rows`. */
export function formatCount(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a whole number with commas between thousands, in every locale. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
