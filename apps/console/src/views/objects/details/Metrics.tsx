import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { read } from '../../../kube/client.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { cpuText, linePoints, memoryText, usageOf, type Usage } from '../usage/usage.js';

interface MetricsProps {
  readonly clusterId: string;
  /** Of the Metrics API; undefined where there is none. */
  readonly path: string | undefined;
}

/** Real ms between two readings: metrics.k8s.io cannot be watched. */
const INTERVAL_MS = 5_000;
const MAX_POINTS = 60;
const WIDTH = 240;
const HEIGHT = 48;

/** What a pod, a node or the pods of a workload use, since one looks. A page in the background does not ask. */
export function Metrics({ clusterId, path }: MetricsProps) {
  const [usages, setUsages] = useState<readonly Usage[]>([]);
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    setUsages([]);
    if (path === undefined) return;
    const stop = new AbortController();
    const ask = (): void => {
      if (document.hidden) return;
      read<unknown>({ clusterId }, path, stop.signal).then(
        (metrics) => {
          setFailure(undefined);
          setUsages((last) => [...last, usageOf(metrics)].slice(-MAX_POINTS));
        },
        (error: unknown) => stop.signal.aborted || setFailure(toFailure(error)),
      );
    };
    const timer = setInterval(ask, INTERVAL_MS);
    ask();
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [clusterId, path]);
  const last = usages.at(-1);
  return (
    <section className="panel metrics">
      <h2>{t.objects.metrics}</h2>
      {path === undefined && <p className="hint">{t.objects.noMetricsApi}</p>}
      {path !== undefined && !last && (
        <p className="hint">{failure ? t.objects.noMetrics(visible(failure.message)) : t.objects.waitingForMetrics}</p>
      )}
      {last && (
        <div className="charts">
          <Chart title={t.objects.cpu} now={cpuText(last.cpu)} values={usages.map(({ cpu }) => cpu)} />
          <Chart title={t.objects.memory} now={memoryText(last.memory)} values={usages.map(({ memory }) => memory)} />
        </div>
      )}
    </section>
  );
}

const Chart = ({
  title,
  now,
  values,
}: {
  readonly title: string;
  readonly now: string;
  readonly values: readonly number[];
}) => (
  <figure>
    <figcaption>
      {title} <strong>{now}</strong>
    </figcaption>
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${now}`} preserveAspectRatio="none">
      <polyline
        points={linePoints(values, WIDTH, HEIGHT, MAX_POINTS)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
    </svg>
  </figure>
);
