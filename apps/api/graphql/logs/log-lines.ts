/** One line of a container's log. */
export interface LogLine {
  /** Place among the containers that were asked for. */
  readonly source: number;
  /** RFC 3339 with nanoseconds, as the container runtime wrote it. */
  readonly at: string;
  readonly text: string;
}

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) /;

/** Cuts the text of a log with timestamps into lines; one that is not complete waits for its rest. */
export class LineCutter {
  private rest = '';
  private last = '';

  constructor(
    private readonly source: number,
    private readonly maxLine: number,
  ) {}

  push(text: string): LogLine[] {
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop()!;
    if (this.rest.length > this.maxLine) {
      parts.push(this.rest);
      this.rest = '';
    }
    return parts.map((line) => this.read(line));
  }

  /** The last line, which has no end. */
  end(): LogLine[] {
    const { rest } = this;
    this.rest = '';
    return rest === '' ? [] : [this.read(rest)];
  }

  private read(line: string): LogLine {
    const stamp = STAMPED.exec(line);
    if (stamp) this.last = stamp[1]!;
    const text = (stamp ? line.slice(stamp[0].length) : line).slice(0, this.maxLine);
    return { source: this.source, at: this.last, text };
  }
}

/** RFC 3339 of one length, so that texts compare as times. */
const padded = (at: string): string => {
  const [seconds = '', fraction = ''] = at.slice(0, -1).split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
};

/** By time; lines of one container keep their order. */
export function mergeLines(lines: readonly LogLine[]): LogLine[] {
  return lines
    .map((line, place) => ({ line, place, key: padded(line.at) }))
    .sort((a, b) => (a.key === b.key ? a.place - b.place : a.key < b.key ? -1 : 1))
    .map(({ line }) => line);
}
