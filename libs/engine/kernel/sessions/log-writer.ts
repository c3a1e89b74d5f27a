import { DecimalClock } from '../../machinery/time/decimal.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { LogLine } from '../container.js';
import type { Log } from '../container-state.js';
import type { State } from '../state.js';
import { addOutput, isOneLine, MAX_TAIL_BYTES, storeTail, wholeLine } from './log.js';

/** Writes output of many times, one after the other, as addOutput does: the log has all of it once it is settled. */
export class LogWriter {
  private readonly clock = new DecimalClock();
  private tail: Bytes;
  private isPending: boolean;

  constructor(
    private readonly state: State,
    private readonly log: Log,
  ) {
    this.tail = log.tail;
    this.isPending = hasPending(log);
  }

  /** Bytes that were written in one go. */
  add(stream: LogLine['stream'], bytes: Bytes, at: Millis): void {
    if (this.isPending || !isOneLine(bytes)) return this.addAnyOutput(stream, bytes, at);
    this.tail += wholeLine(this.clock.decimalOf(at), stream, bytes);
    if (this.tail.length > MAX_TAIL_BYTES) this.store(at);
  }

  settle(): void {
    this.log.tail = this.tail;
  }

  private store(at: Millis): void {
    this.settle();
    this.state.now = at;
    storeTail(this.state, this.log);
    this.tail = this.log.tail;
  }

  private addAnyOutput(stream: LogLine['stream'], bytes: Bytes, at: Millis): void {
    this.settle();
    this.state.now = at;
    addOutput(this.state, this.log, stream, bytes);
    this.tail = this.log.tail;
    this.isPending = hasPending(this.log);
  }
}

const hasPending = ({ pending }: Log): boolean => pending.stdout !== '' || pending.stderr !== '';
