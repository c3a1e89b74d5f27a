/** A small generator of chance from a seed (mulberry32), apart from every cluster's own. */
export class Dice {
  constructor(private state: number) {}

  /** How often, in a hundred, what is made is wrong on purpose; and how many optional fields are set. */
  mischief = 0;
  density = 20;

  /** A new mood: most requests are nearly right, so that they reach deep. */
  again(): void {
    this.mischief = this.pick([0, 0, 0, 1, 3, 10]);
    this.density = this.pick([0, 4, 10, 25, 50]);
  }

  get isWrong(): boolean {
    return this.mischief > 0 && this.chance(this.mischief);
  }

  /** 0 … n-1. */
  roll(n: number): number {
    let t = (this.state = (this.state + 0x6d2b79f5) | 0);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % Math.max(1, n);
  }

  /** True in `percent` of a hundred. */
  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.roll(list.length)]!;
  }
}
