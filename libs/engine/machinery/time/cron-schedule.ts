import { memoize } from '../memoize.js';
import { offsetAt, timeOfWall, type TimeZone } from './time-zones.js';
import { DAY, HOUR, MINUTE, SECOND, type Millis } from './time.js';

/** Which values each field of a cron schedule allows; `interval` instead for '@every 1h30m'. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Cron's old rule: with both day fields restricted, either may match. */
  readonly eitherDay: boolean;
  /** Whose wall clock the fields are compared with. */
  readonly zone: TimeZone;
  readonly interval?: Millis;
}

const MAX_YEARS_AHEAD = 5;

/** What the clocks of a zone show at a time. */
class WallClock {
  private readonly date: Date;

  constructor(
    readonly zone: TimeZone,
    readonly at: Millis,
  ) {
    this.date = new Date(at + offsetAt(zone, at));
  }

  get year(): number {
    return this.date.getUTCFullYear();
  }

  /** 1 to 12. */
  get month(): number {
    return this.date.getUTCMonth() + 1;
  }

  get day(): number {
    return this.date.getUTCDate();
  }

  /** 0 is Sunday. */
  get weekday(): number {
    return this.date.getUTCDay();
  }

  get hour(): number {
    return this.date.getUTCHours();
  }

  get minute(): number {
    return this.date.getUTCMinutes();
  }

  get second(): number {
    return this.date.getUTCSeconds();
  }

  /** Time passes, whatever the clocks do meanwhile: Go's Time.Add. */
  add(span: Millis): WallClock {
    return new WallClock(this.zone, this.at + span);
  }

  /** The clocks show the same time on another day: Go's Time.AddDate. */
  addDate(months: number, days: number): WallClock {
    const { year, month, day } = this;
    const shown = this.date.getTime() - Date.UTC(year, month - 1, day);
    return this.whenClocksShow(Date.UTC(year, month - 1 + months, day + days) + shown);
  }

  startOfMonth(): WallClock {
    return this.whenClocksShow(Date.UTC(this.year, this.month - 1, 1));
  }

  startOfDay(): WallClock {
    return this.whenClocksShow(Math.floor(this.date.getTime() / DAY) * DAY);
  }

  startOfHour(): WallClock {
    return this.whenClocksShow(Math.floor(this.date.getTime() / HOUR) * HOUR);
  }

  startOfMinute(): WallClock {
    return new WallClock(this.zone, Math.floor(this.at / MINUTE) * MINUTE);
  }

  private whenClocksShow(wall: Millis): WallClock {
    return new WallClock(this.zone, timeOfWall(this.zone, wall));
  }
}

/** How one field of a schedule is searched for the next value that it allows. */
interface Field {
  isAllowed(schedule: Schedule, clock: WallClock): boolean;
  /** Sets everything smaller than this field to its lowest value. */
  truncate(clock: WallClock): WallClock;
  increment(clock: WallClock): WallClock;
  /** Has the field started over, so that greater ones may have changed? */
  hasWrapped(clock: WallClock): boolean;
}

const FIELDS: readonly Field[] = [
  {
    isAllowed: ({ months }, { month }) => months.has(month),
    truncate: (clock) => clock.startOfMonth(),
    increment: (clock) => clock.addDate(1, 0),
    hasWrapped: ({ month }) => month === 1,
  },
  {
    isAllowed: isDayAllowed,
    truncate: (clock) => clock.startOfDay(),
    increment: nextMidnight,
    hasWrapped: ({ day }) => day === 1,
  },
  {
    isAllowed: ({ hours }, { hour }) => hours.has(hour),
    truncate: (clock) => clock.startOfHour(),
    increment: (clock) => clock.add(HOUR),
    hasWrapped: ({ hour }) => hour === 0,
  },
  {
    isAllowed: ({ minutes }, { minute }) => minutes.has(minute),
    truncate: (clock) => clock.startOfMinute(),
    increment: (clock) => clock.add(MINUTE),
    hasWrapped: ({ minute }) => minute === 0,
  },
  {
    isAllowed: (_, { second }) => second === 0,
    truncate: (clock) => clock.startOfMinute(),
    increment: (clock) => clock.add(MINUTE),
    hasWrapped: () => true,
  },
];

const MAX_REMEMBERED = 20;
/** Each sync of a CronJob asks for the same few times. `Infinity`: there is none. */
const searches = new WeakMap<Schedule, (after: Millis) => Millis>();

/**
 * The first time after `after` that the schedule names; undefined when there is none within five years. Models
 * robfig/cron v3 SpecSchedule.Next, also where clocks are changed: a time that they leave out is not made up for, and
 * one that they show twice is named twice.
 */
export function nextTime(schedule: Schedule, after: Millis): Millis | undefined {
  const nextSecond = Math.floor(after / SECOND) * SECOND + SECOND;
  if (schedule.interval !== undefined) return nextSecond - SECOND + schedule.interval;
  let search = searches.get(schedule);
  if (!search)
    searches.set(schedule, (search = memoize(MAX_REMEMBERED, (from) => findTime(schedule, from) ?? Infinity)));
  const found = search(nextSecond);
  return found === Infinity ? undefined : found;
}

/** The same from a whole second on. */
function findTime(schedule: Schedule, nextSecond: Millis): Millis | undefined {
  let clock = new WallClock(schedule.zone, nextSecond);
  const lastYear = clock.year + MAX_YEARS_AHEAD;
  let isTruncated = false;
  search: while (clock.year <= lastYear) {
    for (const field of FIELDS) {
      while (!field.isAllowed(schedule, clock)) {
        if (!isTruncated) clock = field.truncate(clock);
        isTruncated = true;
        clock = field.increment(clock);
        if (field.hasWrapped(clock)) continue search;
      }
    }
    return clock.at;
  }
  return undefined;
}

function isDayAllowed({ days, weekdays, eitherDay }: Schedule, { day, weekday }: WallClock): boolean {
  const [byDay, byWeekday] = [days.has(day), weekdays.has(weekday)];
  return eitherDay ? byDay || byWeekday : byDay && byWeekday;
}

/** The next day's midnight; where clocks leave it out, or stand still at it, the hour is put right. */
function nextMidnight(clock: WallClock): WallClock {
  const next = clock.addDate(0, 1);
  if (next.hour === 0) return next;
  return next.add((next.hour > 12 ? 24 - next.hour : -next.hour) * HOUR);
}
