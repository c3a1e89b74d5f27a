import type { Listener } from '@terrarium/host';
import { Refusal, type nouns } from '@terrarium/platform';
import { Pause } from './pause.js';

const CHECKS = 'checks.terrarium.dev';
/** Real time between two looks at what no change of the cluster tells: steps that were verified elsewhere. */
const INTERVAL = 2_000;

interface Options {
  readonly first: nouns.LabView;
  read(): Promise<nouns.LabView>;
  /** Follows the cluster's changes. Resolves to what ends it. */
  subscribe(listener: Listener): Promise<() => void>;
  /** A check of the cluster has changed. */
  onCheck(): void;
  onEnd(): void;
  readonly interval?: number;
}

/** The lab of one learner: first as it is, then whenever it is another, at once when a check says something else. */
export class LabStream implements AsyncIterableIterator<nouns.LabView> {
  private told: string | undefined;
  private pause = new Pause();
  private isChanged = false;
  private isDone = false;
  private failure: Error | undefined;
  private leave: () => void = () => undefined;

  private constructor(private readonly options: Options) {}

  /** Rejects as `subscribe` does; then it has ended. */
  static async open(options: Options): Promise<LabStream> {
    const stream = new LabStream(options);
    try {
      stream.leave = await options.subscribe({
        changes: (changes) => {
          if (changes.some(({ resource }) => resource === CHECKS)) stream.change();
        },
        ended: (reason) =>
          stream.fail(new Refusal(reason === 'deleted' ? 404 : 410, `the stream was closed: ${reason}`)),
        isOver: () => stream.isDone,
      });
    } catch (error) {
      options.onEnd();
      throw error;
    }
    return stream;
  }

  async next(): Promise<IteratorResult<nouns.LabView>> {
    while (!this.isDone) {
      if (this.failure) throw this.failure;
      const view = this.told === undefined ? this.options.first : await this.look();
      const text = JSON.stringify(view);
      if (this.isDone || text === this.told) continue;
      this.told = text;
      return { done: false, value: view };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<nouns.LabView>> {
    if (!this.isDone) {
      this.isDone = true;
      this.leave();
      this.options.onEnd();
      this.pause.end();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async look(): Promise<nouns.LabView> {
    if (!this.isChanged && !this.failure) await this.pause.wait(this.options.interval ?? INTERVAL);
    if (this.failure) throw this.failure;
    if (this.isChanged) this.options.onCheck();
    this.isChanged = false;
    this.pause = new Pause();
    return this.options.read();
  }

  private change(): void {
    this.isChanged = true;
    this.pause.end();
  }

  private fail(error: Error): void {
    this.failure = error;
    this.pause.end();
  }
}
