/** Whether an object is a date, also one of another realm (a `vm` context, a frame). */
export function isDate(value: object): value is Date {
  if (value instanceof Date) return true;
  if (Object.prototype.toString.call(value) !== "[object Date]") return false;
  try {
    Date.prototype.getTime.call(value);
    return true;
  } catch {
    // Its tag says "Date", but it has no time value.
    return false;
  }
}
