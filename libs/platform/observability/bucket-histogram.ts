import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

export interface BucketHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

type Values = Omit<MetricObjectWithValues<MetricValueWithName<string>>, 'collect'>;

/**
 * A histogram of prom-client's registry whose series are found once. prom-client's own checks, sorts and hashes the
 * labels of each value: a thirtieth of a request's time.
 */
export class BucketHistogram<L extends string = never> {
  private readonly series = new Map<string, HistogramSeries>();

  constructor(private readonly options: BucketHistogramOptions) {
    // The registry asks a metric for its name and values only; its type names prom-client's own classes.
    options.registry.registerMetric({ name: options.name, get: () => this.get() } as unknown as Metric);
  }

  /** The series of these labels; a new one is published with zeros. */
  labels(labels: Readonly<Record<L, string>>): HistogramSeries {
    const key = JSON.stringify(labels);
    let series = this.series.get(key);
    if (!series) this.series.set(key, (series = new HistogramSeries(labels, this.options.buckets)));
    return series;
  }

  private get(): Promise<Values> {
    const { name, help } = this.options;
    const values = [...this.series.values()].flatMap((series) => series.values(name));
    // MetricType.Histogram, whose enum is in the types only.
    const type = 'histogram' as unknown as Values['type'];
    return Promise.resolve({ name, help, type, aggregator: 'sum', values });
  }
}

/** What was counted with the same labels. */
export class HistogramSeries {
  private readonly counts: number[];
  private sum = 0;

  constructor(
    private readonly labels: Readonly<Record<string, string>>,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.sum += value;
  }

  values(name: string): MetricValueWithName<string>[] {
    const { labels, bounds } = this;
    let count = 0;
    const buckets = this.counts.map((ofBucket, i) => {
      count += ofBucket;
      return { labels: { le: bounds[i] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: this.sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }
}
