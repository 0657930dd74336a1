/**
 * Writes a number in decimal digits without an exponent: the shortest digits that parse to the same
 * number, padded with zeros.
 *
 * @param number A finite number; minus zero is written as `0`.
 */
export function renderDecimal(number: number): string {
  const text = String(number);
  const at = text.indexOf("e");
  if (at === -1) return text;
  const exponent = Number(text.slice(at + 1));
  const sign = number < 0 ? "-" : "";
  const [whole = "", fraction = ""] = text.slice(sign.length, at).split(".");
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits + "0".repeat(exponent - fraction.length);
}
