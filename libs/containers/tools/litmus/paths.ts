import type { Session } from '../kubectl/session/session.js';
import { envOf, LITMUS, secondsOf } from './api.js';

/** TOTAL_CHAOS_DURATION, where nothing says it. */
const DURATION = 30;

export const durationOf = (session: Session): number => secondsOf(session, 'TOTAL_CHAOS_DURATION', DURATION);

/** 'engine-experiment', and the instance. */
export const nameOfResult = (session: Session): string =>
  [envOf(session, 'CHAOSENGINE'), envOf(session, 'EXPERIMENT_NAME'), envOf(session, 'INSTANCE_ID')]
    .filter((part) => part !== '')
    .join('-');
export const pathOf = (session: Session, kind: string, name = ''): string =>
  `${LITMUS}/namespaces/${envOf(session, 'CHAOS_NAMESPACE')}/${kind}${name === '' ? '' : `/${name}`}`;
export const resultPath = (session: Session): string => pathOf(session, 'chaosresults', nameOfResult(session));
export const enginePath = (session: Session): string => pathOf(session, 'chaosengines', envOf(session, 'CHAOSENGINE'));
