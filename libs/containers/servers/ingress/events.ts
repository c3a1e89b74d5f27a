import type { Client } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { Events, Pods } from '../../../engine/kinds/index.js';
import type { Key } from '../../../engine/machinery/meta/object.js';
import type { LoopTools } from '../../../engine/node/cri/image.js';

const REASON = 'Sync';

/** Says of each Ingress that is new or has changed that it was seen. True: there was one. Models store/store.go. */
export function tendEvents(
  api: Client,
  { event }: LoopTools,
  ingresses: readonly Ingress[],
  component: string,
): boolean {
  let hasChanged = false;
  for (const ingress of ingresses) {
    const said = api
      .byIndex(Events, 'involvedUid', ingress.metadata.uid ?? '')
      .filter(({ reason, source }) => reason === REASON && source?.component === component)
      .map(({ lastTimestamp, firstTimestamp }) => String(lastTimestamp ?? firstTimestamp ?? ''));
    if (said.some((at) => at >= changedAt(ingress))) continue;
    event(ingress, 'Normal', REASON, 'Scheduled for sync', { component });
    hasChanged = true;
  }
  return hasChanged;
}

/** Says of the controller's own pod that NGINX has read its configuration anew: when it starts, and after a change. */
export function tendReloads(api: Client, { event }: LoopTools, pod: Key, hasChanged: boolean, component: string): void {
  const own = api.get(Pods, pod);
  if (!own) return;
  const hasReloaded = api
    .byIndex(Events, 'involvedUid', own.metadata.uid ?? '')
    .some(({ reason }) => reason === 'RELOAD');
  if (hasReloaded && !hasChanged) return;
  event(own, 'Normal', 'RELOAD', 'NGINX reload triggered due to a change in configuration', { component });
}

/** When it was last written, to the second. */
const changedAt = ({ metadata }: Ingress): string =>
  (metadata.managedFields ?? []).reduce(
    (latest, { time }) => (time !== undefined && time > latest ? time : latest),
    metadata.creationTimestamp ?? '',
  );
