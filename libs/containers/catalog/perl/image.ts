import { toolImage } from '../../programs/server.js';

/** Digits of pi by Machin's formula. */
function pi(digits: number): string {
  const unity = 10n ** BigInt(digits + 10);
  const arccot = (x: bigint): bigint => {
    let [sum, term, n, sign] = [unity / x, unity / x, 3n, -1n];
    for (; (term /= x * x) > 0n; n += 2n, sign = -sign) sum += (sign * term) / n;
    return sum;
  };
  const all = ((4n * (4n * arccot(5n) - arccot(239n))) / 10n ** 10n).toString();
  return `${all[0]}.${all.slice(1)}`;
}
const MAX_DIGITS = 5000;
const texts = new Map<number, string>();

/** Perl, with the one-liner of the Job tutorial. */
export const image = toolImage(
  {
    names: ['perl', 'public.ecr.aws/docker/library/perl'],
    tags: /^(latest|slim|stable|devel|5|5\.\d{1,2}(\.\d{1,2})?)(-[a-z0-9.-]+)?$/,
    layersMB: [48.5, 24.0, 64.4, 211.2, 0.01, 15.6],
    config: { cmd: ['perl', '-de0'] },
  },
  ({ argv }) => {
    const asked = /print\s+bpi\((\d+)\)/.exec(argv.join(' '));
    if (!asked) return undefined;
    const digits = Math.min(Number(asked[1]), MAX_DIGITS);
    const afterMs = 800 + digits * 3;
    return {
      exit: { afterMs, code: 0 },
      listens: [],
      readyAfterMs: 0,
      lines(until) {
        if (until < afterMs) return [];
        let text = texts.get(digits);
        if (!text) texts.set(digits, (text = pi(digits - 1)));
        return [{ at: afterMs, text }];
      },
    };
  },
);
