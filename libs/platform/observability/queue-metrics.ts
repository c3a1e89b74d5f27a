import { Gauge, type Registry } from 'prom-client';

/** Tasks of the queue by state; null when the queue does not answer. */
export type CountTasks = () => Promise<Readonly<Record<string, number>> | null>;

/** How long a scrape waits for the queue. */
const PATIENCE_MS = 1_000;

/** Publishes how many tasks wait, run, are planned and have failed, which is read when the metrics are. */
export function registerQueueMetrics(registry: Registry, countTasks: CountTasks, patienceMs = PATIENCE_MS): void {
  new Gauge<'state'>({
    name: 'terrarium_tasks',
    help: 'Tasks of the whole queue, by state; every process tells the same. None while the queue does not answer.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), patienceMs)));
      const counts = await Promise.race([countTasks(), late]);
      clearTimeout(timer);
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
}
