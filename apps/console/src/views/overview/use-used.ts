import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { read } from '../../kube/client.js';
import { METRICS_GROUP } from '../../kube/resource.js';
import { usageOf, type Usage } from '../objects/usage/usage.js';

/** Real ms between two readings: metrics.k8s.io cannot be watched, and measures every 15 s. */
const INTERVAL_MS = 10_000;
const NOT_FOUND = 404;
const PATH = `/apis/${METRICS_GROUP}/v1beta1/nodes`;

/** What all nodes use; `isMissing`: nobody measures, as kubectl top finds it. */
export interface Used {
  readonly usage?: Usage;
  readonly isMissing?: boolean;
  readonly failure?: Failure;
}

/** Undefined until it is known. */
export function useUsed(clusterId: string): Used | undefined {
  const [used, setUsed] = useState<Used>();
  useEffect(() => {
    setUsed(undefined);
    const stop = new AbortController();
    const ask = (): void => {
      if (document.hidden) return;
      read<unknown>({ clusterId }, PATH, stop.signal).then(
        (list) => setUsed({ usage: usageOf(list) }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          const failure = toFailure(error);
          setUsed(failure.status === NOT_FOUND ? { isMissing: true } : { failure });
        },
      );
    };
    ask();
    const timer = setInterval(ask, INTERVAL_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [clusterId]);
  return used;
}
