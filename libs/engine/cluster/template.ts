import { Clocks } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { MINUTE, type Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from '../node/cri/image.js';
import { bootstrap } from './bootstrap/index.js';
import { Cluster, type CheckpointState } from './cluster.js';

export interface NodeSpec {
  readonly name: string;
  /** Quantities; by default '4' and '8Gi'. */
  readonly cpu?: string;
  readonly memory?: string;
  /** How many pods it takes; by default 110, and never more than the 253 addresses of its pod range. */
  readonly pods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** What a new cluster looks like. Clusters of equal settings start on one shared checkpoint. */
export interface TemplateOptions {
  readonly workers: readonly NodeSpec[];
  readonly speed: 'realistic' | 'instant';
}

/** The virtual time at which templates are made; a cluster made from one is shifted to its own beginning. */
export const TEMPLATE_EPOCH: Millis = Date.UTC(2026, 0, 1);
const SETTLE_LIMIT = 10 * MINUTE;
const EVENTS = 'events';

/** Two workers of 4 CPUs and 8 GiB, as a new cluster has unless asked otherwise. */
export const defaultWorkers = (count = 2): NodeSpec[] =>
  Array.from({ length: count }, (_, i) => ({ name: `worker-${i + 1}` }));

/** Names the checkpoint that these options lead to; changes with anything that changes the result. */
export const templateKey = (options: TemplateOptions, version: string): string =>
  `${version}:${JSON.stringify([options.speed, options.workers])}`;

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
  bootstrapSpeed(cluster, options.speed);
  // A minute on, every probe has long succeeded at either speed: whoever loads this finds nothing to do.
  cluster.state.now += MINUTE;
  const { revision, now, objects } = cluster.checkpoint();
  // A real cluster's first events are gone by the time anyone looks; kept ones would wake every idle cluster an hour
  // later.
  return { revision, now, objects: objects.filter((o) => o.resource !== EVENTS) };
}

function bootstrapSpeed(cluster: Cluster, speed: TemplateOptions['speed']): void {
  const client = cluster.client({ name: 'system:terrarium', groups: ['system:masters'] });
  const clock = client.get(Clocks, { namespace: '', name: 'clock' })!;
  client.update(Clocks, { ...clock, spec: { ...clock.spec, speedProfile: speed } });
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * A checkpoint moved in time: every timestamp in it by `shift` ms (whole seconds). Subtrees without one stay shared.
 */
export function shiftCheckpoint(state: CheckpointState, shift: Millis): CheckpointState {
  return {
    ...state,
    now: state.now + shift,
    objects: state.objects.map(({ resource, object }) => ({
      resource,
      object: shiftValue(object, shift) as KubeObject,
    })),
  };
}

function shiftValue(value: unknown, shift: Millis): unknown {
  if (typeof value === 'string')
    return value.length >= 20 && value.length <= 30 && TIMESTAMP.test(value) ? shiftText(value, shift) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? shiftList(value, shift)
    : shiftFields(value as Readonly<Record<string, unknown>>, shift);
}

function shiftList(list: readonly unknown[], shift: Millis): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const moved = shiftValue(list[i], shift);
    if (moved !== list[i]) (copy ??= [...list])[i] = moved;
  }
  return copy ?? list;
}

function shiftFields(object: Readonly<Record<string, unknown>>, shift: Millis): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const field in object) {
    const moved = shiftValue(object[field], shift);
    if (moved !== object[field]) (copy ??= { ...object })[field] = moved;
  }
  return copy ?? object;
}

function shiftText(text: string, shift: Millis): string {
  const moved = new Date(Date.parse(text) + shift).toISOString();
  return text.length === 20 ? `${moved.slice(0, 19)}Z` : `${moved.slice(0, -1)}000Z`;
}
