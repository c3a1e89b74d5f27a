import type { Context } from '../../runtime/controller.js';
import { createEvent } from '../plain-event.js';
import type { ChaosObject } from './objects.js';
import type { ChaosRecord, ExperimentStatus } from './status.js';

type Tell = (component: string, reason: string, message: string, type?: 'Normal' | 'Warning') => void;

const tellOf =
  (context: Context, object: ChaosObject): Tell =>
  (component, reason, message, type = 'Normal') =>
    createEvent(context, object, { component, type, reason, message });

const updated = (tell: Tell, component: string, field: string): void =>
  tell(component, 'Updated', `Successfully update ${field} of resource`);

/** Models chaos-mesh/controllers/common/finalizers; that both have one reason is upstream's. */
export function tellOfFinalizer(context: Context, object: ChaosObject, isHeld: boolean): void {
  const tell = tellOf(context, object);
  const component = isHeld ? 'initFinalizers' : 'cleanFinalizers';
  tell(component, 'FinalizerInited', isHeld ? 'Finalizer has been inited' : 'Finalizer has been removed');
  updated(tell, component, 'finalizer');
}

/** What has changed since the last status. Models chaos-mesh/controllers/common/desiredphase and records. */
export function tellOfStatus(context: Context, object: ChaosObject, next: ExperimentStatus): void {
  const tell = tellOf(context, object);
  const before = object.status as Partial<ExperimentStatus> | undefined;
  const { desiredPhase, containerRecords = [] } = next.experiment;
  if (before?.experiment?.desiredPhase !== desiredPhase) {
    tellOfPhase(tell, desiredPhase, object.metadata.deletionTimestamp !== undefined);
    updated(tell, 'desiredphase', 'desiredPhase');
    if (containerRecords.length === 0)
      tell('records', 'Failed', 'Failed to select targets: no target has been selected', 'Warning');
  }
  const known = new Map((before?.experiment?.containerRecords ?? []).map((record) => [record.id, record.phase]));
  const changed = containerRecords.filter(({ id, phase }) => known.get(id) !== phase);
  for (const record of changed) tellOfRecord(tell, record);
  if (changed.length > 0) updated(tell, 'records', 'records');
}

function tellOfPhase(tell: Tell, phase: 'Run' | 'Stop', isDeleted: boolean): void {
  if (phase === 'Run') tell('desiredphase', 'Started', 'Experiment has started');
  else if (isDeleted) tell('desiredphase', 'Deleted', 'Experiment has been deleted');
  else tell('desiredphase', 'TimeUp', 'Time up according to the duration');
}

function tellOfRecord(tell: Tell, { id, phase }: ChaosRecord): void {
  if (phase === 'Injected') tell('records', 'Applied', `Successfully apply chaos for ${id}`);
  else tell('records', 'Recovered', `Successfully recover chaos for ${id}`);
}
