/** Tells dates, those of another realm (a `vm` context, a frame) too, from other objects. */
export function isDate(value: object): value is Date {
  if (value instanceof Date) return true;
  if (Object.prototype.toString.call(value) !== "[object Date]") return false;
  try {
    Date.prototype.getTime.call(value);
    return true;
  } catch {
    // Only a real date has a time: this one merely calls itself "Date".
    return false;
  }
}
