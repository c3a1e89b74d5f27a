import type { nouns } from '@terrarium/platform';
import { PolledStream } from '../streams/polled-stream.js';
import { isOver } from './cluster-clocks.js';

/** Real time between two looks. */
const INTERVAL = 500;

/** An Advance as it goes on: told first as it is, then whenever it has got further, and last when it is over. */
export class AdvanceStream extends PolledStream<nouns.Advance> {
  private told = '';

  constructor(
    private readonly read: () => Promise<nouns.Advance>,
    interval = INTERVAL,
  ) {
    super(interval);
  }

  protected async look(): Promise<nouns.Advance | undefined> {
    const advance = await this.read();
    const text = JSON.stringify(advance);
    if (text === this.told) return undefined;
    this.told = text;
    this.isDone ||= isOver(advance);
    return advance;
  }
}
