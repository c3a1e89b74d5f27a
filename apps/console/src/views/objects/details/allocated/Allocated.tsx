import { useEffect, useState } from 'react';
import { read } from '../../../../kube/client.js';
import { at as fieldAt, textAt, type KubeObject } from '../../../../kube/object.js';
import { Meter } from '../../../../parts/Meter.js';
import { t } from '../../../../texts/texts.js';
import { formatBytes, formatCpu } from '../../../picture/model/format.js';
import { askedBy, type Asked } from './allocated.js';
import { readQuantity } from '../../usage/usage.js';

interface AllocatedProps {
  readonly clusterId: string;
  readonly at: string;
  readonly node: KubeObject;
}

/** Real ms between two readings; a page in the background does not ask. */
const INTERVAL_MS = 5_000;

const AMOUNTS = [
  { resource: 'cpu', text: (cores: number) => formatCpu(Math.round(cores * 1_000)) },
  { resource: 'memory', text: formatBytes },
  { resource: 'pods', text: String },
] as const;

/** What the pods of a node ask for, of what it has: what the scheduler counts, whatever is used. */
export default function Allocated({ clusterId, at, node }: AllocatedProps) {
  const [asked, setAsked] = useState<Asked>();
  const { name } = node.metadata;
  useEffect(() => {
    const stop = new AbortController();
    const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${name}`)}`;
    const ask = (): void => {
      if (document.hidden) return;
      read<unknown>({ clusterId, ...(at ? { at } : {}) }, path, stop.signal).then(
        (pods) => setAsked(askedBy(pods)),
        // The page says already when the server is gone; the next reading comes by itself.
        () => undefined,
      );
    };
    ask();
    const timer = at ? undefined : setInterval(ask, INTERVAL_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [clusterId, at, name]);
  if (!asked) return null;
  const has = fieldAt(node, 'status', 'allocatable');
  const amount = (resource: string): number => readQuantity(textAt(has, resource));
  return (
    <section className="panel">
      <h2>{t.objects.allocated}</h2>
      {AMOUNTS.map(({ resource, text }) => {
        const all = amount(resource);
        const label = t.objects.allocatedOf(t.objects[resource], text(asked[resource]), text(all));
        return <Meter key={resource} label={label} used={asked[resource]} all={all} />;
      })}
    </section>
  );
}
