import { Refusal, type nouns } from '@terrarium/platform';
import { Pause } from './pause.js';

/** However long a learner has thought, nobody waits longer for the next act. Real ms. */
const LONGEST_MS = 30_000;
const MAX_SPEED = 1_000_000;

/** The acts of a session one after another, as far apart as they were, divided by the speed; then it ends. */
export class ReplayStream implements AsyncIterableIterator<nouns.SessionAct> {
  private readonly pause = new Pause();
  private told = 0;
  private isDone = false;

  /** Throws Refusal 400. */
  constructor(
    private readonly acts: readonly nouns.SessionAct[],
    private readonly speed: number,
  ) {
    if (!(speed >= 0 && speed <= MAX_SPEED)) throw new Refusal(400, `speed: must be from 0 to ${MAX_SPEED}`);
  }

  async next(): Promise<IteratorResult<nouns.SessionAct>> {
    const act = this.acts[this.told];
    const before = this.acts[this.told - 1];
    if (!act || this.isDone) return { done: true, value: undefined };
    const apart = before ? Math.max(0, Date.parse(act.at) - Date.parse(before.at)) : 0;
    if (this.speed > 0 && apart > 0) await this.pause.wait(Math.min(apart / this.speed, LONGEST_MS));
    if (this.isDone) return { done: true, value: undefined };
    this.told++;
    return { done: false, value: act };
  }

  async return(): Promise<IteratorResult<nouns.SessionAct>> {
    this.isDone = true;
    this.pause.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
