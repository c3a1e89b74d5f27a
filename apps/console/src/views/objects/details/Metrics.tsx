import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { read } from '../../../kube/client.js';
import type { Resource } from '../../../kube/resource.js';
import { t } from '../../../texts/texts.js';
import { cpuText, linePoints, memoryText, usageOf, type Usage } from './usage.js';

interface MetricsProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** Real ms between two readings: metrics.k8s.io cannot be watched. */
const INTERVAL_MS = 5_000;
const MAX_POINTS = 60;
const NOT_FOUND = 404;
const WIDTH = 240;
const HEIGHT = 48;

/** What a pod or a node uses, since one looks. A page in the background does not ask. */
export function Metrics({ clusterId, resource, namespace, name }: MetricsProps) {
  const [usages, setUsages] = useState<readonly Usage[]>([]);
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    const stop = new AbortController();
    const place = resource.resource === 'nodes' ? 'nodes' : `namespaces/${encodeURIComponent(namespace)}/pods`;
    const path = `/apis/metrics.k8s.io/v1beta1/${place}/${encodeURIComponent(name)}`;
    const ask = (): void => {
      if (document.hidden) return;
      read<unknown>({ clusterId }, path, stop.signal).then(
        (metrics) => {
          setFailure(undefined);
          setUsages((last) => [...last, usageOf(metrics)].slice(-MAX_POINTS));
        },
        (error: unknown) => {
          if (stop.signal.aborted) return;
          const why = toFailure(error);
          setFailure(why);
          // Nobody measures here: metrics-server is not installed, or does not know it yet.
          if (why.status === NOT_FOUND && why.message.startsWith('404')) clearInterval(timer);
        },
      );
    };
    const timer = setInterval(ask, INTERVAL_MS);
    ask();
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [clusterId, resource, namespace, name]);
  const last = usages.at(-1);
  return (
    <section className="panel metrics">
      <h2>{t.objects.metrics}</h2>
      {!last && <p className="hint">{failure ? t.objects.noMetrics(failure.message) : t.objects.waitingForMetrics}</p>}
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
