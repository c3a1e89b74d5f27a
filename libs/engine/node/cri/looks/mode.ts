import type { Millis } from '../../../machinery/time/time.js';

/**
 * What the work on machines that is under way may do: a look from outside, a step of a program that asks others, an
 * input of the cluster, which may change it, or a run ahead of a copy, which cannot know what others will do.
 */
export class Mode {
  /** A step of a process asks the cluster: it cannot be undone and continued. */
  private inStepNow = false;
  /** The cluster runs an input: programs may change it. */
  private actingNow = false;
  private forecastingNow = false;
  /** Uids of machines that a machine which is acted on has been in contact with. */
  private peers = new Set<string>();
  /** The earliest time at which a program began to wait for the API server. */
  private waitsSince: Millis = Infinity;

  get isInStep(): boolean {
    return this.inStepNow;
  }
  get isActing(): boolean {
    return this.actingNow;
  }
  get isForecasting(): boolean {
    return this.forecastingNow;
  }
  /** Whether a machine that is acted on has been in contact with others. */
  get hasPeers(): boolean {
    return this.peers.size > 0;
  }

  addPeer(uid: string): void {
    if (this.actingNow) this.peers.add(uid);
  }

  takePeers(): string[] {
    const peers = [...this.peers];
    this.peers.clear();
    return peers;
  }

  inStep<T>(ask: () => T): T {
    const { inStepNow } = this;
    this.inStepNow = true;
    try {
      return ask();
    } finally {
      this.inStepNow = inStepNow;
    }
  }

  /** Runs work as part of an input: what programs ask of the API server is done, and their peers are noted. */
  acting<T>(work: () => T): T {
    const { actingNow, peers } = this;
    this.actingNow = true;
    this.peers = new Set();
    try {
      return work();
    } finally {
      this.actingNow = actingNow;
      this.peers = peers;
    }
  }

  /** Runs work that reads beside what is under way: nothing acts in it. */
  besides<T>(work: () => T): T {
    const { actingNow, forecastingNow } = this;
    this.actingNow = false;
    this.forecastingNow = false;
    try {
      return this.inStep(work);
    } finally {
      this.actingNow = actingNow;
      this.forecastingNow = forecastingNow;
    }
  }

  /** Runs `look` on a copy of a machine, which cannot ask others; it is told since when it would have to. */
  forecasting<T>(look: (waitsSince: () => Millis) => T): T {
    const { waitsSince, actingNow } = this;
    this.waitsSince = Infinity;
    this.actingNow = false;
    this.forecastingNow = true;
    try {
      return look(() => this.waitsSince);
    } finally {
      this.forecastingNow = false;
      this.waitsSince = waitsSince;
      this.actingNow = actingNow;
    }
  }

  /** Notes that the course of a machine is not known from here on. */
  wait(now: Millis): undefined {
    this.waitsSince = Math.min(this.waitsSince, now);
    return undefined;
  }
}
