import { Faults, Pods } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { addFinalizer, removeFinalizer } from '../../machinery/meta/finalizers.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { microTimestamp } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context, type Result } from '../../runtime/controller.js';
import { servedKind, writeCustomStatus } from '../custom-status.js';
import { keyOfName } from '../fault/evict.js';
import { EXPERIMENTS, KINDS, type ChaosObject } from './objects.js';
import { syncSchedule } from './schedule.js';
import { failedStatus, statusOf } from './status.js';
import { tellOfFinalizer, tellOfStatus } from './tell.js';
import { translate } from './translate.js';
import { syncWorkflow } from './workflow.js';

const LABEL = 'terrarium.dev/chaos-mesh';
const FINALIZER = 'chaos-mesh/records';

/**
 * Understands manifests of Chaos Mesh, once its CRDs are applied: each experiment is a Fault. Models
 * chaos-mesh/controllers. Left out: experiments on physical machines, clouds, HTTP, the JVM and kernels, pausing, and
 * the dashboard.
 */
export const controller = defineController<Fault>({
  name: 'chaosmesh',
  component: 'terrarium',
  actor: 'system:serviceaccount:chaos-mesh:chaos-controller-manager',
  eventSource: 'chaos-mesh',
  for: {
    kind: Faults,
    keys: ({ metadata }) => {
      const owner = metadata.annotations?.[LABEL];
      return owner === undefined ? NO_KEYS : [keyFrom(owner)];
    },
  },
  watches: Object.entries(KINDS).map(([name, kind]) =>
    watch<ChaosObject>({ kind, keys: ({ metadata }) => [keyFrom(`${name}/${metadata.namespace}/${metadata.name}`)] }),
  ),
  reconcile(context, key): Result | void {
    const [name = '', own = ''] = key.name.split('/');
    const kind = KINDS[name];
    const object = kind && context.client.get(kind, { namespace: key.namespace, name: own });
    if (!kind || !object) return;
    if (name === 'Schedule') return syncSchedule(context, object);
    if (name === 'Workflow') return syncWorkflow(context, object);
    syncExperiment(context, name, object);
  },
});

/** 'KIND/NAMESPACE/NAME' as a key. */
function keyFrom(owner: string): Key {
  const [kind = '', namespace = '', name = ''] = owner.split('/');
  return { namespace, name: `${kind}/${name}` };
}

const nameOfFault = (kind: string, { metadata }: ChaosObject): string =>
  `${kind.toLowerCase()}.${metadata.namespace}.${metadata.name}`;

function syncExperiment(context: Context, name: string, object: ChaosObject): void {
  const { client, now } = context;
  const kind = EXPERIMENTS[name]!;
  const key = { namespace: '', name: nameOfFault(name, object) };
  const fault = client.get(Faults, key);
  if (object.metadata.deletionTimestamp) return endExperiment(context, name, object, fault);
  if (fault && fault.metadata.labels?.['terrarium.dev/owner-uid'] === object.metadata.uid)
    return report(context, name, object, fault);
  if (fault) return client.delete(Faults, key);
  const { namespace = '', name: own = '', uid = '' } = object.metadata;
  const found = translate(name, object.spec ?? {}, namespace, own);
  if ('error' in found)
    return writeCustomStatus(context, kind, object, object.status ?? failedStatus(found.error, now));
  setFinalizer(context, name, object, true);
  client.create(Faults, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Fault',
    metadata: {
      name: key.name,
      labels: { 'terrarium.dev/owner-uid': uid },
      annotations: { [LABEL]: `${name}/${namespace}/${own}` },
    },
    spec: found.fault,
    status: {},
  });
}

/** Nothing is told before the fault has begun. */
function report(context: Context, name: string, object: ChaosObject, fault: Fault): void {
  if ((fault.status.phase ?? 'Pending') === 'Pending') return;
  const status = statusOf(fault, isOneShot(name, object), recordIds(context, name, object));
  tellOfStatus(context, object, status);
  writeCustomStatus(context, EXPERIMENTS[name]!, object, status);
}

/** An experiment that is deleted is recovered from first. */
function endExperiment(context: Context, name: string, object: ChaosObject, fault: Fault | undefined): void {
  const { client, now } = context;
  if (fault?.status.phase === 'Active') {
    const ended: Fault = { ...fault, status: { ...fault.status, phase: 'Finished', endTime: microTimestamp(now) } };
    tellOfStatus(context, object, statusOf(ended, false, recordIds(context, name, object)));
  }
  if (fault) client.delete(Faults, { namespace: '', name: fault.metadata.name ?? '' });
  setFinalizer(context, name, object, false);
}

/** Models PodChaos' IsOneShot. */
const isOneShot = (name: string, { spec }: ChaosObject): boolean =>
  name === 'PodChaos' && (spec?.action === 'pod-kill' || spec?.action === 'container-kill');

/** Experiments whose selector is one of containers. */
const SELECT_CONTAINERS = new Set(['IOChaos', 'StressChaos', 'TimeChaos', 'DNSChaos']);

/** A pod's: one of each container that is selected, the first where none is named. Models pkg/selector/container. */
const recordIds =
  ({ client }: Context, name: string, { spec }: ChaosObject) =>
  (pod: string): readonly string[] => {
    if (!SELECT_CONTAINERS.has(name) && spec?.action !== 'container-kill') return [pod];
    if (spec?.containerNames?.length) return spec.containerNames.map((container) => `${pod}/${container}`);
    const first = client.get(Pods, keyOfName(pod))?.spec.containers[0]?.name;
    return [first === undefined ? pod : `${pod}/${first}`];
  };

function setFinalizer(context: Context, name: string, object: ChaosObject, isHeld: boolean): void {
  const { client } = context;
  const stored = client.get(EXPERIMENTS[name]!, keyOf(object)) ?? object;
  const next = isHeld ? addFinalizer(stored, FINALIZER) : removeFinalizer(stored, FINALIZER);
  if (next === stored) return;
  tellOfFinalizer(context, object, isHeld);
  client.update(servedKind(client, EXPERIMENTS[name]!), next);
}
