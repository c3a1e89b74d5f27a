import type { Container, PodSpec } from '../../../api/core_v1.js';

/**
 * Whether a container that has ended with this code starts again: by the first of its own rules that matches, else by
 * its own policy, else by its pod's. Models pkg/api/v1/pod ContainerShouldRestart.
 */
export function containerShouldRestart(
  { restartPolicy, restartPolicyRules = [] }: Pick<Container, 'restartPolicy' | 'restartPolicyRules'>,
  spec: Pick<PodSpec, 'restartPolicy'>,
  exitCode: number,
): boolean {
  for (const { exitCodes } of restartPolicy === undefined ? [] : restartPolicyRules) {
    const listed = exitCodes?.values?.includes(exitCode) ?? false;
    if (exitCodes && (exitCodes.operator === 'In' ? listed : !listed)) return true;
  }
  const policy = restartPolicy ?? spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
