import type { Client } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { Events } from '../../../engine/kinds/index.js';
import type { LoopTools } from '../../../engine/node/cri/image.js';

const REASON = 'Sync';

/** Says of an Ingress that is new or has changed that it was seen. Models controller/store/store.go. */
export function tendEvents(api: Client, { event }: LoopTools, ingresses: readonly Ingress[], component: string): void {
  for (const ingress of ingresses) {
    const said = api
      .byIndex(Events, 'involvedUid', ingress.metadata.uid ?? '')
      .filter(({ reason, source }) => reason === REASON && source?.component === component)
      .map(({ lastTimestamp, firstTimestamp }) => String(lastTimestamp ?? firstTimestamp ?? ''));
    if (said.some((at) => at >= changedAt(ingress))) continue;
    event(ingress, 'Normal', REASON, 'Scheduled for sync', { component });
  }
}

/** When it was last written, to the second. */
const changedAt = ({ metadata }: Ingress): string =>
  (metadata.managedFields ?? []).reduce(
    (latest, { time }) => (time !== undefined && time > latest ? time : latest),
    metadata.creationTimestamp ?? '',
  );
