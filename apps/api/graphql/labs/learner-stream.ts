import type { nouns } from '@terrarium/platform';
import { Pause } from './pause.js';

/** Real time between two looks. */
const INTERVAL = 2_000;

/**
 * The learners of a lab: all of them first, then those whose progress, score, checks or last command have changed. They
 * are looked at only while somebody listens. One that is gone is told once more, with the state `deleted`.
 */
export class LearnerStream implements AsyncIterableIterator<nouns.Learner[]> {
  private readonly told = new Map<string, { readonly text: string; readonly learner: nouns.Learner }>();
  private readonly pause = new Pause();
  private isFirst = true;
  private isDone = false;

  constructor(
    private readonly read: () => Promise<nouns.Learner[]>,
    private readonly interval = INTERVAL,
  ) {}

  async next(): Promise<IteratorResult<nouns.Learner[]>> {
    while (!this.isDone) {
      if (!this.isFirst) await this.pause.wait(this.interval);
      if (this.isDone) break;
      const changed = this.changed(await this.read());
      const mustTell = this.isFirst || changed.length > 0;
      this.isFirst = false;
      if (mustTell) return { done: false, value: changed };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<nouns.Learner[]>> {
    this.isDone = true;
    this.pause.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private changed(learners: readonly nouns.Learner[]): nouns.Learner[] {
    const changed: nouns.Learner[] = [];
    const present = new Set<string>();
    for (const learner of learners) {
      // A cluster goes on by itself: its revision alone is no news.
      const { revision: _, lastActivity: __, ...rest } = learner;
      const text = JSON.stringify(rest);
      present.add(learner.clusterId);
      if (this.told.get(learner.clusterId)?.text !== text) changed.push(learner);
      this.told.set(learner.clusterId, { text, learner });
    }
    for (const [id, { learner }] of this.told) {
      if (present.has(id)) continue;
      this.told.delete(id);
      changed.push({ ...learner, state: 'deleted' });
    }
    return changed;
  }
}
