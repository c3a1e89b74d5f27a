import { useEffect, useState } from 'react';
import { read } from '../../../kube/client.js';
import { METRICS_GROUP, type Resource } from '../../../kube/resource.js';
import { usagesOf, type Usages } from './usages.js';

/** Real ms between two readings: metrics.k8s.io cannot be watched, and measures every 15 s. */
const INTERVAL_MS = 10_000;

interface Asked {
  readonly clusterId: string;
  readonly at: string;
  readonly resource: Resource;
  readonly resources: readonly Resource[];
  /** '' for all. */
  readonly namespace: string;
}

/** What the pods or nodes of a table use; undefined for other kinds, for the past, and where nobody measures. */
export function useUsage({ clusterId, at, resource, resources, namespace }: Asked): Usages | undefined {
  const [usages, setUsages] = useState<Usages>();
  const measured = resource.group === '' ? findMeasured(resources, resource.resource) : undefined;
  const paths = measured && at === '' ? pathsOf(measured, namespace).join(' ') : '';
  useEffect(() => {
    setUsages(undefined);
    if (paths === '') return;
    const stop = new AbortController();
    const ask = (): void => {
      if (document.hidden) return;
      Promise.all(paths.split(' ').map((path) => read<unknown>({ clusterId }, path, stop.signal))).then(
        ([metrics, nodes]) => setUsages((last) => usagesOf(metrics, nodes, last)),
        // Columns of what is not known are not shown; the next reading comes by itself.
        () => stop.signal.aborted || setUsages(undefined),
      );
    };
    ask();
    const timer = setInterval(ask, INTERVAL_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [clusterId, paths]);
  return usages;
}

const findMeasured = (resources: readonly Resource[], plural: string): Resource | undefined =>
  resources.find(({ group, resource }) => group === METRICS_GROUP && resource === plural);

/** Of nodes also what they have. */
function pathsOf({ apiVersion, resource }: Resource, namespace: string): string[] {
  if (resource === 'nodes') return [`/apis/${apiVersion}/nodes`, '/api/v1/nodes'];
  const below = namespace ? `namespaces/${encodeURIComponent(namespace)}/` : '';
  return [`/apis/${apiVersion}/${below}pods`];
}
