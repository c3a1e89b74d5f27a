const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** An age as kubectl prints it. Models k8s.io/apimachinery/pkg/util/duration HumanDuration. */
export function humanDuration(ms: number): string {
  if (ms < -SECOND) return '<invalid>';
  if (ms < 0) return '0s';
  const [seconds, minutes, hours, days, years] = [SECOND, MINUTE, HOUR, DAY, YEAR].map((unit) =>
    Math.floor(ms / unit),
  ) as [number, number, number, number, number];
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return pair(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  if (days < 365 * 8) return pair(years, 'y', days % 365, 'd');
  return `${years}y`;
}

const pair = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  `${large}${largeUnit}${small === 0 ? '' : `${small}${smallUnit}`}`;

const AGO = /^(\d+) \((\S+) ago\)$/;

/** An age that was printed `ms` ago, or how often with how long ago, as it is now: "5s", "2 (14s ago)". Others stay. */
export function grownAge(text: string, ms: number): string {
  const [, count, ago] = AGO.exec(text) ?? [];
  const age = parseDuration(ago ?? text);
  if (age === undefined || ms <= 0) return text;
  const grown = humanDuration(age + ms);
  return ago === undefined ? grown : `${count} (${grown} ago)`;
}

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, y: YEAR };
const DURATION = /^(?:\d{1,12}[smhdy])+$/;

/** The ms of an age that kubectl has printed; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  return [...text.matchAll(/(\d{1,12})([smhdy])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!,
    0,
  );
}
