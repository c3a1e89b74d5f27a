/** A line from who did something to what was changed, that runs there and is gone. */
export interface Beam {
  readonly actor: string;
  /** The pod's number, or a point of the picture. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  age: number;
}

export const BEAM_MS = 650;
/** More at once are noise. */
const MAX_BEAMS = 90;
/** In one frame. */
const MAX_NEW = 24;

/** The beams that are seen now; of many at once some are shown. */
export class Beams {
  readonly all: Beam[] = [];
  private fresh = 0;

  add(beam: Omit<Beam, 'age'>): void {
    if (this.fresh >= MAX_NEW || this.all.length >= MAX_BEAMS) return;
    this.fresh++;
    this.all.push({ ...beam, age: 0 });
  }

  step(ms: number): boolean {
    this.fresh = 0;
    for (const beam of this.all) beam.age += ms;
    while (this.all.length > 0 && this.all[0]!.age > BEAM_MS) this.all.shift();
    return this.all.length > 0;
  }

  clear(): void {
    this.all.length = 0;
  }
}
