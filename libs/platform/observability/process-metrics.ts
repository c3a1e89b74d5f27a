import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * How often the event loop's delay is measured. Node.js measures every 10 ms by default, which costs 0.5 % of a core
 * while nothing happens; every 100 ms costs 0.05 %.
 */
const DELAY_RESOLUTION_MS = 100;
const NS_PER_SECOND = 1e9;
const NS_PER_MS = 1e6;
const US_PER_SECOND = 1e6;
const MS_PER_SECOND = 1e3;

/** Metrics of the process, under the names that prom-client's default metrics have. Returns what ends the measuring. */
export function registerProcessMetrics(registry: Registry): () => void {
  const gauge = (name: string, help: string, read: () => number): void =>
    void registerGauge(registry, name, help, read);
  const registers = [registry];
  const startedAt = Date.now() / MS_PER_SECOND - process.uptime();
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time of the process, in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / US_PER_SECOND);
    },
  });
  gauge('process_start_time_seconds', 'When the process started, in seconds since the epoch.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', "The part of V8's heap that is in use.", () => process.memoryUsage().heapUsed);
  gauge(
    'nodejs_external_memory_bytes',
    'Buffers and other memory outside of the heap.',
    () => process.memoryUsage().external,
  );
  gauge(
    'nodejs_eventloop_utilization',
    'Share of the time since the start that the event loop was busy, from 0 to 1.',
    () => performance.eventLoopUtilization().utilization,
  );

  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  // The histogram has the whole time between two turns of the timer, not only what is beyond the interval.
  const beyondInterval = (ns: number): number => Math.max(0, ns - DELAY_RESOLUTION_MS * NS_PER_MS) / NS_PER_SECOND;
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'Delay of the event loop since the metrics were last read: the 99th percentile.',
    () => beyondInterval(delay.count > 0 ? delay.percentile(99) : 0),
  );
  gauge(
    'nodejs_eventloop_lag_max_seconds',
    'Delay of the event loop since the metrics were last read: the longest.',
    () => {
      const longest = beyondInterval(delay.count > 0 ? delay.max : 0);
      delay.reset();
      return longest;
    },
  );
  return () => void delay.disable();
}

/** A gauge that is read when the metrics are. */
export function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
