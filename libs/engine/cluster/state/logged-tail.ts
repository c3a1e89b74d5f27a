import type { AppliedChange } from '../../machinery/requests/http.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';

/** So many changes are gone through again, and of so long a time before the last one. */
const MAX_CHANGES = 500;
const MAX_SPAN: Millis = 20 * SECOND;
/** What happened at the last moment alone may be more. */
const MAX_MOMENT = 5_000;

/** A change of the log, and the state's time before it. */
export interface Logged {
  readonly change: AppliedChange;
  readonly before: Millis;
}

/** The last changes of the log that a process reads when it loads a cluster. */
export class LoggedTail {
  private logged: Logged[] = [];
  private isWhole = true;

  /** `drop` is told of those that are too many to be kept. */
  constructor(private readonly drop: (change: AppliedChange) => void) {}

  add(change: AppliedChange, before: Millis): void {
    this.logged.push({ change, before });
    if (this.logged.length >= 2 * MAX_MOMENT) this.dropFirst(this.logged.length - MAX_MOMENT);
  }

  /** They are not gone through again. */
  dropAll(): void {
    this.isWhole = false;
    this.dropFirst(this.logged.length);
  }

  /** They have been gone through. */
  forget(): void {
    this.logged = [];
  }

  private dropFirst(count: number): void {
    for (const { change } of this.logged.slice(0, count)) this.drop(change);
    this.logged = this.logged.slice(count);
    if (count > 0) this.isWhole = false;
  }

  /** Whether nothing was dropped: they begin where the checkpoint ends. */
  get isComplete(): boolean {
    return this.isWhole && this.firstKept() === 0;
  }

  /** What came before the moments that are kept, and these: whole ones, the last at least, unless it is too long. */
  split(): { readonly before: readonly Logged[]; readonly kept: readonly Logged[] } {
    const from = this.firstKept();
    return { before: this.logged.slice(0, from), kept: this.logged.slice(from) };
  }

  private firstKept(): number {
    const { logged } = this;
    const end = logged.at(-1)?.change.at ?? 0;
    let from = logged.length;
    for (let i = logged.length - 1; i >= 0 && this.isNear(i, end); i--) if (this.isBegin(i)) from = i;
    return from;
  }

  private isNear(i: number, end: Millis): boolean {
    const count = this.logged.length - i;
    const { at } = this.logged[i]!.change;
    return at === end ? count <= MAX_MOMENT : count <= MAX_CHANGES && at >= end - MAX_SPAN;
  }

  /** The first one that is known begins a moment only when it is known what was before: the checkpoint's time. */
  private isBegin(i: number): boolean {
    const { change, before } = this.logged[i]!;
    return before < change.at || (i === 0 && this.isWhole);
  }
}
