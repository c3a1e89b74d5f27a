/** '25%' of a total, or a plain number. Models apimachinery/pkg/util/intstr GetScaledValueFromIntOrPercent. */
export function getScaledValue(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const share = (Number.parseInt(value, 10) * total) / 100;
  return round === 'up' ? Math.ceil(share) : Math.floor(share);
}
