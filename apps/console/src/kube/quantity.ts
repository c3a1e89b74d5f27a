const QUANTITY = /^([+-]?\d+(?:\.\d+)?)([numkMGTPE]|[KMGTPE]i)?$/;
const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** '250m' and '1.5Gi' as numbers; undefined for other texts. */
export function parseQuantity(text: string): number | undefined {
  const [, value, unit = ''] = QUANTITY.exec(text) ?? [];
  return value === undefined ? undefined : Number(value) * (FACTORS[unit] ?? 1);
}
