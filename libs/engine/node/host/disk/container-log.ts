import { gzipSync } from 'fflate';
import { fromArray, toArray, type Bytes } from '../../../kernel/bytes.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';

/** One entry of a container's log, at ms since the container's start. */
export interface LogEntry {
  readonly at: Millis;
  readonly text: Bytes;
  readonly stream?: 'stdout' | 'stderr';
  readonly isPartial?: boolean;
}

/** A file of a container's log: the one that is written to has no suffix. */
export interface LogFile {
  /** '' or '.20260101-000000', of one that is older still '.20260101-000000.gz'. */
  readonly suffix: string;
  readonly modified: Millis;
  content(): Bytes;
}

/** The kubelet's containerLogMaxSize, containerLogMaxFiles and containerLogMonitorInterval. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 5;
const MONITOR_INTERVAL = 10 * SECOND;

interface Boundary {
  /** Where the file that is written to from then on begins. */
  readonly offset: number;
  readonly at: Millis;
  /** The file before it, once somebody has asked for it. */
  compressed?: Bytes;
}

/**
 * The log of one run of a container as it lies on its node. What is added stays: the files at a time follow from it.
 * Models containerd's internal/cri/io/logger.go and pkg/kubelet/logs/container_log_manager.go.
 */
export class ContainerLog {
  private text: Bytes = '';
  private readonly ends: number[] = [];
  private readonly times: Millis[] = [];
  private readonly boundaries: Boundary[] = [];
  /** When the file that is written to will be found to be too large. */
  private rotatesAt = Infinity;

  constructor(private readonly startedAt: Millis) {}

  /** Entries so far. */
  get length(): number {
    return this.ends.length;
  }

  get size(): number {
    return this.text.length;
  }

  add(entries: readonly LogEntry[]): void {
    const parts: Bytes[] = [];
    let length = this.text.length;
    for (const { at, text, stream = 'stdout', isPartial = false } of entries) {
      const time = this.startedAt + at;
      if (time >= this.rotatesAt) this.rotate(length);
      const entry = `${nanoTimestamp(time)} ${stream} ${isPartial ? 'P' : 'F'} ${text}\n`;
      parts.push(entry);
      length += entry.length;
      this.ends.push(length);
      this.times.push(time);
      if (this.rotatesAt === Infinity && length - this.start > MAX_BYTES) this.rotatesAt = nextLook(time);
    }
    this.text += parts.join('');
  }

  /** What lies on the node at a time: all that was written before it. */
  files(at: Millis): readonly LogFile[] {
    const length = this.lengthBefore(at);
    const rotated: Boundary[] = this.boundaries.filter((one) => one.at <= at);
    if (this.rotatesAt <= at) rotated.push({ offset: length, at: this.rotatesAt });
    const starts = [0, ...rotated.map(({ offset }) => offset)];
    const files = rotated.map((boundary, i): LogFile => {
      const content = (): Bytes => this.text.slice(starts[i], boundary.offset);
      const isNewest = i === rotated.length - 1;
      const suffix = `.${stamp(boundary.at)}${isNewest ? '' : '.gz'}`;
      return {
        suffix,
        modified: boundary.at,
        content: isNewest ? content : () => (boundary.compressed ??= compress(content())),
      };
    });
    const current: LogFile = {
      suffix: '',
      modified: this.timeBefore(at),
      content: () => this.text.slice(starts.at(-1), length),
    };
    return [...files.slice(1 - MAX_FILES), current];
  }

  private get start(): number {
    return this.boundaries.at(-1)?.offset ?? 0;
  }

  private rotate(offset: number): void {
    this.boundaries.push({ offset, at: this.rotatesAt });
    this.rotatesAt = Infinity;
  }

  private lengthBefore(at: Millis): number {
    const count = this.countBefore(at);
    return count === 0 ? 0 : this.ends[count - 1]!;
  }

  private timeBefore(at: Millis): Millis {
    const count = this.countBefore(at);
    return count === 0 ? this.startedAt : this.times[count - 1]!;
  }

  private countBefore(at: Millis): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const nextLook = (at: Millis): Millis => (Math.floor(at / MONITOR_INTERVAL) + 1) * MONITOR_INTERVAL;

/** '20260101-000000'. */
const stamp = (at: Millis): string => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

/** RFC 3339 with all nine digits. */
const nanoTimestamp = (at: Millis): string => new Date(at).toISOString().replace('Z', '000000Z');

const compress = (text: Bytes): Bytes => fromArray(gzipSync(toArray(text), { level: 1, mtime: 0 }));
