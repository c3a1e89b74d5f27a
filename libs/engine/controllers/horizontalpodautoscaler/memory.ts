import type { HorizontalPodAutoscaler } from '../../api/autoscaling_v2.js';
import { AutoscalerRuntimes } from '../../kinds/index.js';
import type { Client, Reader } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';
import { NO_MEMORY, type Memory } from './recommendations.js';

/** What an autoscaler remembers; at first that there were as many replicas as there are. */
export function memoryOf(read: Reader, hpa: HorizontalPodAutoscaler, current: number, now: Millis): Memory {
  const stored = read.get(AutoscalerRuntimes, keyOf(hpa));
  if (stored && stored.uid === hpa.metadata.uid) return stored;
  return { ...NO_MEMORY, recommendations: [{ at: microTimestamp(now), replicas: current }] };
}

export function keepMemory(client: Client, hpa: HorizontalPodAutoscaler, memory: Memory): void {
  const { recommendations, scaleUps, scaleDowns } = memory;
  const stored = client.get(AutoscalerRuntimes, keyOf(hpa));
  const next = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'AutoscalerRuntime',
    metadata: stored?.metadata ?? { name: hpa.metadata.name, namespace: hpa.metadata.namespace },
    ...{ uid: hpa.metadata.uid ?? '', recommendations, scaleUps, scaleDowns },
  };
  if (!stored) client.create(AutoscalerRuntimes, next);
  else if (!deepEqual(next, stored)) client.update(AutoscalerRuntimes, next);
}

export function forget(client: Client, key: Key): void {
  if (client.get(AutoscalerRuntimes, key)) client.delete(AutoscalerRuntimes, key);
}
