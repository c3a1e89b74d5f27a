import { HELPER } from '../../../engine/controllers/litmus/result/report.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { Session } from '../kubectl/session/session.js';
import { attempt, envOf, LITMUS } from './api.js';
import { fatal } from './log.js';
import { formatError, type ProbeError } from './probes/types.js';
import type { Target } from './target.js';

/** How far a helper has come. */
export type Helper = {
  kind: string;
  targets: Target[];
  /** The target whose turn it is. */
  at: number;
  /** KB that are to be written, by target. */
  sizes: number[];
  begunAt: number;
  /** Since then containers are waited for. */
  waitsSince?: number;
};

export const asPlain = (state: Helper): Plain => state as unknown as Plain;
export const asHelper = (data: Plain): Helper => data as unknown as Helper;

/** The end of a helper that cannot go on: the result gets its words. Models UpdateFailedStepFromHelper. */
export function fail(session: Session, error: ProbeError): void {
  const text = formatError({ ...error, phase: 'ChaosInject' });
  const name = [envOf(session, 'CHAOSENGINE'), envOf(session, 'EXPERIMENT_NAME'), envOf(session, 'INSTANCE_ID')]
    .filter((part) => part !== '')
    .join('-');
  const path = `${LITMUS}/namespaces/${envOf(session, 'CHAOS_NAMESPACE')}/chaosresults/${name}`;
  const { failure } = attempt(() => session.patch(path, { metadata: { annotations: { [HELPER]: text } } }));
  const more = failure === undefined ? '' : `, resultErr: ${failure}`;
  fatal(session, `helper pod failed, err: ${text}${more}`);
  session.code = 1;
}
