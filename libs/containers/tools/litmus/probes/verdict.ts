import type { Session } from '../../kubectl/session/session.js';
import { error, info } from '../log.js';
import { modeOf, withProbe, type State } from './state.js';
import type { Outcome } from './types.js';

/** A verdict of a probe, and what the log says of it. Models markedVerdictInEnd and setProbeVerdict. */
export function markVerdict(session: Session, before: State, at: number, outcome: Outcome, phase: string): State {
  const probe = before.probes[at]!;
  const verdict = outcome.error ? 'Failed' : 'Passed';
  const log = outcome.error ? error : info;
  log(session, `[Probe]: ${probe.name} probe has been ${verdict} ${outcome.error ? '😢 ' : '😄 '}`, {
    ...{ ProbeName: probe.name, ProbeType: probe.type, ProbeInstance: phase, ProbeStatus: verdict },
  });
  const said = outcome.error ? outcome.error.reason : outcome.description;
  const old = before.states[at]!;
  const isEdge = modeOf(probe) === 'edge';
  // An edge is passed when both of its sides are.
  const stays =
    isEdge && ((phase === 'PreChaos' && !outcome.error) || (phase === 'PostChaos' && old.verdict === 'Failed'));
  const isStopped = outcome.error !== undefined && probe.runProperties?.stopOnFailure === true;
  return withProbe(before, at, {
    verdict: stays ? old.verdict : verdict,
    description: stays && old.verdict === 'Failed' ? old.description : said === '' ? old.description : said,
    isStopped,
  });
}
