/** Sleeps are yielded; everything else takes no time. */
export type Running = Generator<void, number, void>;

export class Exit extends Error {
  constructor(readonly code: number) {
    super();
  }
}
export class LoopControl extends Error {
  constructor(readonly kind: 'break' | 'continue') {
    super();
  }
}
