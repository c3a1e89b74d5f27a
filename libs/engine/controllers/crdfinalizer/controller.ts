import type { CustomResourceDefinition } from '../../api/apiextensions_v1.js';
import { CustomResourceDefinitions } from '../../kinds/index.js';
import { CLEANUP } from '../../kinds/apiextensions/customresourcedefinition/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { removeFinalizer } from '../../machinery/meta/finalizers.js';
import { parseTimestamp, SECOND } from '../../machinery/time/time.js';
import { defineController, type Context } from '../../runtime/controller.js';
import { findCondition, newCondition, setStatusCondition } from '../conditions.js';
import { deleteAll } from '../delete-all.js';

/** How often, and how long before it says so, it looks whether the objects are gone. */
const POLL = 5 * SECOND;
const PATIENCE = 60 * SECOND;
const TIMED_OUT = 'could not confirm zero CustomResources remaining: timed out waiting for the condition';

/**
 * Deletes the objects of a definition that is being deleted, then lets it go. Models
 * apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go.
 */
export const controller = defineController({
  name: 'crdfinalizer',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: { kind: CustomResourceDefinitions, when: isFinalizing },
  reconcile(context, key) {
    const { client, now } = context;
    const crd = client.get(CustomResourceDefinitions, key);
    if (!crd || !isFinalizing(crd)) return;
    if (findCondition(crd.status.conditions, 'Established')?.status !== 'True')
      return letGo(context, crd, 'NeverEstablished', 'resource was never established');
    const since = parseTimestamp(crd.metadata.deletionTimestamp!);
    const isLate = now - since >= PATIENCE;
    const reported = isLate
      ? crd
      : report(context, crd, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const kind = client
      .allKinds()
      .find((one) => one.group === crd.spec.group && one.plural === crd.status.acceptedNames?.plural);
    const [failure] = kind ? deleteAll(client, kind, client.list(kind)) : [];
    if (failure) {
      report(context, reported, 'True', 'InstanceDeletionFailed', `could not issue all deletes: ${failure.message}`);
      throw failure;
    }
    if (!kind || client.list(kind).length === 0)
      return letGo(context, reported, 'InstanceDeletionCompleted', 'removed all instances');
    if (isLate) report(context, reported, 'True', 'InstanceDeletionCheck', TIMED_OUT);
    return { requeueAfter: POLL };
  },
});

function isFinalizing({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(CLEANUP) === true;
}

function report(
  { client, now }: Context,
  crd: CustomResourceDefinition,
  status: 'True' | 'False',
  reason: string,
  message: string,
): CustomResourceDefinition {
  const conditions = setStatusCondition(
    crd.status.conditions,
    newCondition('Terminating', status, reason, message, now),
  );
  if (deepEqual(conditions, crd.status.conditions)) return crd;
  return client.updateStatus(CustomResourceDefinitions, { ...crd, status: { ...crd.status, conditions } });
}

function letGo(context: Context, crd: CustomResourceDefinition, reason: string, message: string): void {
  const reported = report(context, crd, 'False', reason, message);
  context.client.update(CustomResourceDefinitions, removeFinalizer(reported, CLEANUP));
}
