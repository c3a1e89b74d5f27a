/** How long a check may take before it counts as failed. */
const CHECK_MS = 2_000;

/** Whether this process should get work: not while it starts or ends, and not while its database does not answer. */
export class Readiness {
  private phase: 'starting' | 'ready' | 'draining' = 'starting';
  private check: () => Promise<unknown> = async () => undefined;

  constructor(private readonly checkMs = CHECK_MS) {}

  /** `check` rejects while the database does not answer. */
  checkWith(check: () => Promise<unknown>): void {
    this.check = check;
  }

  markReady(): void {
    if (this.phase === 'starting') this.phase = 'ready';
  }

  /** The process ends: new work should go elsewhere. */
  drain(): void {
    this.phase = 'draining';
  }

  /** Why the process is not ready; undefined when it is. */
  async problem(): Promise<string | undefined> {
    if (this.phase !== 'ready') return `the process is ${this.phase}`;
    return (await this.isDatabaseAnswering()) ? undefined : 'the database does not answer';
  }

  private async isDatabaseAnswering(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), this.checkMs)));
    const check = this.check().then(
      () => true,
      // The answer to the probe tells of it, and the store counts and logs its own errors.
      () => false,
    );
    const isAnswering = await Promise.race([check, late]);
    clearTimeout(timer);
    return isAnswering;
  }
}
