/** A version: Masterminds' semver takes `v1`, `1.2` too. */
export interface Version {
  readonly numbers: readonly [number, number, number];
  readonly pre: string;
  readonly meta: string;
  readonly text: string;
}

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
const MAX_TEXT = 256;

export function parseVersion(text: string): Version | undefined {
  const found = text.length > MAX_TEXT ? null : VERSION.exec(text);
  if (!found) return undefined;
  const [, major = '0', minor = '0', patch = '0', pre = '', meta = ''] = found;
  return { numbers: [Number(major), Number(minor), Number(patch)], pre, meta, text };
}

/** Below 0: `a` comes first. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i]! - b.numbers[i]!;
  if (a.pre === b.pre) return 0;
  if (a.pre === '' || b.pre === '') return a.pre === '' ? 1 : -1;
  const [one, other] = [a.pre.split('.'), b.pre.split('.')];
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const [x, y] = [one[i], other[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [isNumber, isOther] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (isNumber && isOther) return Number(x) - Number(y);
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

type Check = (version: Version) => boolean;

const PART =
  /^(=|==|!=|>|<|>=|=>|<=|=<|~|~>|\^)?\s*v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** What a constraint allows: `>=1.2 <2 || ^3`; undefined: it is none. Models Masterminds/semver NewConstraint. */
export function parseConstraint(text: string): Check | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const groups = text.split('||').map((group) => {
    const [low = '', high] = group.split(' - ');
    const ranged = high === undefined ? group : `>=${low.trim()} <=${high.trim()}`;
    const parts = ranged
      .trim()
      .replace(/([=<>!~^])\s+/g, '$1')
      .split(/[\s,]+/)
      .filter((part) => part !== '');
    return parts.map(readPart);
  });
  if (groups.some((group) => group.length === 0 || group.includes(undefined))) return undefined;
  return (version) => groups.some((group) => group.every((check) => check!(version)));
}

function readPart(text: string): Check | undefined {
  const found = PART.exec(text);
  if (!found) return undefined;
  const [, sign = '', ...rest] = found;
  const given = rest.slice(0, 3).map((part) => (part === undefined || /[xX*]/.test(part) ? undefined : Number(part)));
  const wild = given.findIndex((part) => part === undefined);
  const count = wild < 0 ? 3 : wild;
  const pre = rest[3] ?? '';
  const low: Version = { numbers: [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0], pre, meta: '', text };
  // A version before a release is meant only by who names one.
  const allows = (version: Version): boolean => version.pre === '' || pre !== '';
  const compare = (version: Version): number => compareVersions(version, low);
  const next = (at: number): Version => {
    const numbers: [number, number, number] = [0, 0, 0];
    for (let i = 0; i <= at; i++) numbers[i] = low.numbers[i]! + (i === at ? 1 : 0);
    return { numbers, pre: '', meta: '', text };
  };
  const within =
    (at: number): Check =>
    (version) =>
      allows(version) && compare(version) >= 0 && (at < 0 || compareVersions(version, next(at)) < 0);
  switch (sign) {
    case '>':
      return (version) =>
        allows(version) &&
        (count < 3 ? (count === 0 ? false : compareVersions(version, next(count - 1)) >= 0) : compare(version) > 0);
    case '<':
      return (version) => allows(version) && compare(version) < 0;
    case '>=':
    case '=>':
      return (version) => allows(version) && compare(version) >= 0;
    case '<=':
    case '=<':
      return (version) =>
        allows(version) &&
        (count < 3 ? count === 0 || compareVersions(version, next(count - 1)) < 0 : compare(version) <= 0);
    case '!=':
      return (version) => (count < 3 ? !within(count - 1)(version) : allows(version) && compare(version) !== 0);
    case '^': {
      const first = low.numbers.findIndex((number) => number > 0);
      return within(Math.min(first < 0 ? count - 1 : first, Math.max(count - 1, 0)));
    }
    case '~':
    case '~>':
      return within(Math.min(count - 1, 1));
    default:
      return count < 3 ? within(count - 1) : (version) => allows(version) && compare(version) === 0;
  }
}
