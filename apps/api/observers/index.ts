import type { Settings, Tracing } from '@terrarium/platform';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { GateObserver } from '../gate/observer.js';
import { RequestLog } from './request-log.js';
import { RequestMetrics } from './request-metrics.js';
import { RequestTraces } from './request-traces.js';

export interface ObserverParts {
  readonly settings: Pick<Settings, 'logRequests'>;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly tracing: Tracing | undefined;
}

/** Who is told about every request of this process. */
export function openObservers({ settings, registry, logger, tracing }: ObserverParts): readonly GateObserver[] {
  const { logRequests } = settings;
  return [
    ...(tracing ? [new RequestTraces(tracing)] : []),
    new RequestMetrics(registry),
    ...(logRequests === 'off' ? [] : [new RequestLog(logger, logRequests)]),
  ];
}
