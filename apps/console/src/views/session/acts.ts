import type { SessionAct } from '../../api/labs.generated.js';

/** The last act at or before a revision; -1 when the moment is none of them, or the present. */
export function actAt(acts: readonly Pick<SessionAct, 'revision'>[], at: string): number {
  if (!/^\d+$/.test(at)) return -1;
  const revision = Number(at);
  let found = -1;
  for (const [i, act] of acts.entries()) if (act.revision <= revision) found = i;
  return found;
}

/** How far it was then: steps that were verified, and checks that held. */
export function standAt(
  acts: readonly SessionAct[],
  index: number,
): { readonly done: number; readonly passed: number } {
  const steps = new Set<string>();
  const checks = new Map<string, boolean>();
  for (const { type, done, step, text } of acts.slice(0, index + 1)) {
    if (type === 'verify' && done) steps.add(step);
    // "NAME: PHASE, SCORE of POINTS".
    if (type === 'check') checks.set(text.split(':')[0]!, done);
  }
  return { done: steps.size, passed: [...checks.values()].filter(Boolean).length };
}
