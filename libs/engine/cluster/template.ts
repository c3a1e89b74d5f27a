import { Clocks } from '../kinds/index.js';
import { MINUTE, type Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from '../node/cri/image.js';
import { encodedSize } from '../runtime/state/object-bytes.js';
import { bootstrap } from './bootstrap/index.js';
import type { CheckpointState } from './state/checkpoint.js';
import { Cluster } from './cluster.js';
import type { NodeSpec, TemplateOptions } from './template-options.js';

/** The virtual time at which templates are made; a cluster made from one is shifted to its own beginning. */
export const TEMPLATE_EPOCH: Millis = Date.UTC(2026, 0, 1);
const SETTLE_LIMIT = 10 * MINUTE;
const EVENTS = 'events';

/** Two workers of 4 CPUs and 8 GiB, as a new cluster has unless asked otherwise. */
export const defaultWorkers = (count = 2): NodeSpec[] =>
  Array.from({ length: count }, (_, i) => ({ name: `worker-${i + 1}` }));

/** Names the checkpoint that these options lead to; changes with anything that changes the result. */
export const templateKey = (options: TemplateOptions, version: string): string =>
  `${version}:${JSON.stringify([options.speed, options.workers, ...(options.names ? [options.names] : [])])}`;

/** Makes a cluster from nothing, lets it settle, and returns its state. Takes some tens of ms; the result is shared. */
export function makeTemplate(options: TemplateOptions, images: ImageCatalog): CheckpointState {
  const errors: string[] = [];
  const cluster = new Cluster({
    seed: 'template',
    images,
    strict: true,
    onError: (c, k, e) => errors.push(`${c} ${k.namespace}/${k.name}: ${String(e)}`),
  });
  cluster.state.now = TEMPLATE_EPOCH;
  bootstrap(cluster, { ...options, speed: 'instant' });
  const end = cluster.advance(TEMPLATE_EPOCH + SETTLE_LIMIT);
  if (!end.settled) throw new Error(`the template does not settle: ${errors.slice(0, 5).join('; ')}`);
  setSpeed(cluster, options.speed);
  // A minute on, every probe has long succeeded at either speed: a cluster that starts on this has nothing to do.
  cluster.state.now += MINUTE;
  // A cluster that is made from it begins anew: where the template's components stood is nothing to it.
  const { loop: _, ...checkpoint } = cluster.checkpoint();
  // The events of a cluster's creation would wake every idle cluster an hour later, when they expire.
  const objects = checkpoint.objects.filter((o) => o.resource !== EVENTS);
  const bytes = objects.reduce((sum, { object }) => sum + encodedSize(object), 0);
  return { ...checkpoint, bytes, objects };
}

function setSpeed(cluster: Cluster, speed: TemplateOptions['speed']): void {
  const client = cluster.client({ name: 'system:terrarium', groups: ['system:masters'] });
  const clock = client.get(Clocks, { namespace: '', name: 'clock' })!;
  client.update(Clocks, { ...clock, spec: { ...clock.spec, speedProfile: speed } });
}
