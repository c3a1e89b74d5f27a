const LIMIT = 1n << 63n;

/** A whole number as strconv.ParseInt reads it in base 10; undefined: it is none, or too large. */
export function parseInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const number = BigInt(text.replace(/^\+/, ''));
  return number >= -LIMIT && number < LIMIT ? number : undefined;
}
