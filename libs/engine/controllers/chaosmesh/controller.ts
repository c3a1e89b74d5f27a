import { Faults } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { defineController, NO_KEYS, watch, type Context, type Result } from '../../runtime/controller.js';
import { writeCustomStatus } from '../custom-status.js';
import { EXPERIMENTS, KINDS, type ChaosObject } from './objects.js';
import { syncSchedule } from './schedule.js';
import { failedStatus, statusOf } from './status.js';
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
  if (object.metadata.deletionTimestamp) {
    if (fault) client.delete(Faults, key);
    return setFinalizer(context, name, object, false);
  }
  if (fault && fault.metadata.labels?.['terrarium.dev/owner-uid'] === object.metadata.uid)
    return writeCustomStatus(context, kind, object, statusOf(fault));
  if (fault) return client.delete(Faults, key);
  const found = translate(name, object.spec ?? {}, object.metadata.namespace ?? '');
  if ('error' in found)
    return writeCustomStatus(context, kind, object, object.status ?? failedStatus(found.error, now));
  setFinalizer(context, name, object, true);
  const { namespace, name: own, uid = '' } = object.metadata;
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

/** An experiment that is deleted is recovered from first. */
function setFinalizer({ client }: Context, name: string, object: ChaosObject, isHeld: boolean): void {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(FINALIZER) === isHeld) return;
  const next = isHeld ? [...finalizers, FINALIZER] : finalizers.filter((one) => one !== FINALIZER);
  const stored = client.get(EXPERIMENTS[name]!, keyOf(object)) ?? object;
  client.update(EXPERIMENTS[name]!, { ...stored, metadata: { ...stored.metadata, finalizers: next } });
}
