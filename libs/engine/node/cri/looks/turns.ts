import { UnfinishedWork } from '../../../machinery/unfinished.js';

/** Pieces of work that are remembered; all are forgotten together. */
const MAX_TURNS = 500;
/** Work that was continued so often comes to its end in one go: something takes back what each of them has done. */
const MAX_SLICES = 1_000;

/** How often pieces of work were left unfinished, by what they are. */
export class Turns {
  private readonly slices = new Map<string, number>();

  /** Whether a piece of work was left so often that it has to come to its end now. */
  isOverdue(turn: string): boolean {
    return (this.slices.get(turn) ?? 0) >= MAX_SLICES;
  }

  /** What the caller throws. */
  leave(turn: string): UnfinishedWork {
    const before = this.slices.get(turn) ?? 0;
    if (this.slices.size >= MAX_TURNS) this.slices.clear();
    this.slices.set(turn, before + 1);
    return new UnfinishedWork();
  }

  finish(turn: string): void {
    if (this.slices.size > 0) this.slices.delete(turn);
  }
}
