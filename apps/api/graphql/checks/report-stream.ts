import type { nouns } from '@terrarium/platform';

export type Report = nouns.CheckReport;

interface Options {
  read(): Promise<Report>;
  /** `onChange`: checks have changed; `onEnd`: nothing more is told. Resolves to what ends it. */
  subscribe(onChange: () => void, onEnd: (error: Error) => void): Promise<() => void>;
}

/** The results of a cluster's checks: told first as they are, then whenever they are others. */
export class ReportStream implements AsyncIterableIterator<Report> {
  private told = '';
  private hasChanged = true;
  private isDone = false;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;
  private unsubscribe: () => void = () => undefined;

  private constructor(private readonly read: Options['read']) {}

  static async open({ read, subscribe }: Options): Promise<ReportStream> {
    const stream = new ReportStream(read);
    stream.unsubscribe = await subscribe(
      () => stream.change(),
      (error) => stream.fail(error),
    );
    if (stream.isDone) stream.unsubscribe();
    return stream;
  }

  async next(): Promise<IteratorResult<Report>> {
    while (!this.isDone) {
      if (this.failure) throw this.failure;
      if (!this.hasChanged) await new Promise<void>((resolve) => (this.wake = resolve));
      if (!this.hasChanged) continue;
      this.hasChanged = false;
      const report = await this.read();
      const { revision: _, ...results } = report;
      const text = JSON.stringify(results);
      if (text === this.told) continue;
      this.told = text;
      return { done: false, value: report };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Report>> {
    this.isDone = true;
    this.unsubscribe();
    this.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private change(): void {
    this.hasChanged = true;
    this.wake();
  }

  private fail(error: Error): void {
    this.failure = error;
    this.wake();
  }
}
