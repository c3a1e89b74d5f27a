import { ArithmeticError } from '../expansion/arithmetic.js';
import type { Bytes, TextCourse, Texts } from '../kernel.js';

/** The loop is not one whose texts are known: it is run. */
export class Unsure extends Error {}

/** What a command of the loop does to the texts. Throws Unsure. */
export type Act = (scope: Scope) => void;

/** The texts of a loop on paper, as its commands see them. */
export class Scope {
  answers: readonly Bytes[] = [];
  answered = 0;
  prints: Bytes[] = [];
  /** How many of the lengths this round has noted. */
  noted = 0;

  constructor(
    readonly values: Map<Bytes, Bytes>,
    /** $_ */
    public last: Bytes,
    /** Of all texts whose lengths say how much work a command is. */
    readonly lengths: number[],
    /** The lengths are those of a round that was run: one that has others does other work. */
    private readonly areKnown: boolean,
  ) {}

  begin(answers: readonly Bytes[]): void {
    this.answers = answers;
    this.answered = 0;
    this.prints = [];
    this.noted = 0;
  }

  /** Throws Unsure. */
  note(length: number): void {
    if (!this.areKnown) this.lengths.push(length);
    else if (this.lengths[this.noted] !== length) throw new Unsure();
    this.noted++;
  }

  get isComplete(): boolean {
    return this.answered === this.answers.length && this.noted === this.lengths.length;
  }
}

export const textsOfActs = (names: readonly Bytes[], acts: readonly Act[]): Texts => ({
  paths: [...names.map((name) => ['variables', name, 'value']), ['lastArgument']],
  start: (values, lengths) => new ScopeCourse(names, acts, values, lengths),
});

/** Goes through the acts once in each round. */
class ScopeCourse implements TextCourse {
  private readonly scope: Scope;
  private readonly before: Bytes[];

  constructor(
    private readonly names: readonly Bytes[],
    private readonly acts: readonly Act[],
    values: readonly Bytes[],
    lengths: readonly number[] | undefined,
  ) {
    const byName = new Map(names.map((name, i) => [name, values[i]!]));
    this.scope = new Scope(byName, values.at(-1)!, [...(lengths ?? [])], lengths !== undefined);
    this.before = [...values];
  }

  get values(): Bytes[] {
    return [...this.names.map((name) => this.scope.values.get(name)!), this.scope.last];
  }

  get prints(): readonly Bytes[] {
    return this.scope.prints;
  }

  get lengths(): readonly number[] {
    return this.scope.lengths;
  }

  next(answers: readonly Bytes[]): boolean {
    const { scope, names, before } = this;
    for (let i = 0; i < names.length; i++) before[i] = scope.values.get(names[i]!)!;
    const { last } = scope;
    if (this.goThrough(answers)) return true;
    for (let i = 0; i < names.length; i++) scope.values.set(names[i]!, before[i]!);
    scope.last = last;
    return false;
  }

  private goThrough(answers: readonly Bytes[]): boolean {
    const { scope, acts } = this;
    scope.begin(answers);
    try {
      for (const act of acts) act(scope);
    } catch (error) {
      if (error instanceof Unsure || error instanceof ArithmeticError) return false;
      throw error;
    }
    return scope.isComplete;
  }
}
