import type { BodyResponse } from '../../machinery/requests/http.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** A metric with all its series. */
export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  /** `name{labels} value`, without line feeds. */
  readonly lines: Iterable<string>;
}

/** 'a="1",b="2"'. */
export const formatLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');

/** Metrics in Prometheus' text format. */
export const metricsResponse = (families: readonly MetricFamily[]): BodyResponse => ({
  type: 'body',
  status: 200,
  headers: { 'content-type': CONTENT_TYPE },
  body: families.map(familyText).join(''),
});

const familyText = ({ name, type, help, lines }: MetricFamily): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${[...lines].map((line) => `${line}\n`).join('')}`;
