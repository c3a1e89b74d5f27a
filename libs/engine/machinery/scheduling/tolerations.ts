import type { Taint, Toleration } from '../../api/core_v1.js';
import { parseInt64 } from './int64.js';

/** Lt and Gt want numbers as Kubernetes writes them: no sign but a minus, no leading zeros. */
const DECIMAL = /^(?:0|-?[1-9]\d*)$/;

/** Models api/core/v1 Toleration.ToleratesTaint, with the comparison operators. */
export function toleratesTaint({ key, operator, value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  if (!key) return false;
  if (operator === 'Lt' || operator === 'Gt') return compareNumbers(operator, taint.value ?? '', value);
  return value === (taint.value ?? '');
}

export const isTaintTolerated = (taint: Taint, tolerations: readonly Toleration[] | undefined): boolean =>
  tolerations?.some((one) => toleratesTaint(one, taint)) ?? false;

/** 'KEY=VALUE:EFFECT', as kubectl prints a taint. */
export const formatTaint = ({ key, value, effect }: Taint): string => `${key}${value ? `=${value}` : ''}:${effect}`;

function compareNumbers(operator: 'Lt' | 'Gt', tainted: string, tolerated: string): boolean {
  if (!DECIMAL.test(tainted) || !DECIMAL.test(tolerated)) return false;
  const [left, right] = [parseInt64(tainted), parseInt64(tolerated)];
  if (left === undefined || right === undefined) return false;
  return operator === 'Lt' ? left < right : left > right;
}
