import { describe } from './json.js';
import { fail, type Json } from './values.js';

const one =
  (run: (x: number) => number) =>
  (value: Json): Json =>
    typeof value === 'number' ? run(value) : fail(`${describe(value)} number required`);
const two =
  (run: (x: number, y: number) => number) =>
  (_value: Json, x?: Json, y?: Json): Json => {
    if (typeof x !== 'number') return fail(`${describe(x ?? null)} number required`);
    return typeof y === 'number' ? run(x, y) : fail(`${describe(y ?? null)} number required`);
  };

/** Half away from zero, as C's round. */
const round = (x: number): number => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
function significand(x: number): number {
  return x === 0 || !Number.isFinite(x) ? x : x / 2 ** Math.floor(Math.log2(Math.abs(x)));
}

/** Functions of math.h. */
export const MATH: Readonly<Record<string, (value: Json, ...args: Json[]) => Json>> = {
  ...Object.fromEntries(
    (['floor', 'ceil', 'sqrt', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh'] as const).map(
      (name) => [`${name}/0`, one(Math[name])],
    ),
  ),
  ...Object.fromEntries(
    (['asinh', 'acosh', 'atanh', 'exp', 'expm1', 'log', 'log2', 'log10', 'log1p', 'cbrt', 'trunc'] as const).map(
      (name) => [`${name}/0`, one(Math[name])],
    ),
  ),
  'fabs/0': one(Math.abs),
  'round/0': one(round),
  'rint/0': one((x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x))),
  'nearbyint/0': one((x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x))),
  'exp2/0': one((x) => 2 ** x),
  'exp10/0': one((x) => 10 ** x),
  'significand/0': one(significand),
  'logb/0': one((x) => Math.floor(Math.log2(Math.abs(x)))),
  'pow/2': two((x, y) => x ** y),
  'atan2/2': two(Math.atan2),
  'fmin/2': two(Math.min),
  'fmax/2': two(Math.max),
  'fmod/2': two((x, y) => x % y),
  'ldexp/2': two((x, y) => x * 2 ** y),
  'scalb/2': two((x, y) => x * 2 ** y),
};
