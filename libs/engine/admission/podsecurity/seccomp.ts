import { checkRequired, findSetters, quote, sorted, type Context, type PodLike } from './check.js';

const isSafe = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost';

/** Models check_seccompProfile_baseline and, if `required`, check_seccompProfile_restricted. */
export function checkSeccomp(pod: PodLike, required: boolean): string | undefined {
  const values: string[] = [];
  const bad = ({ seccompProfile }: Context): boolean =>
    seccompProfile !== undefined && !isSafe(seccompProfile.type) && values.push(seccompProfile.type) > 0;
  const wrong = (who: string): string =>
    `${who} must not set securityContext.seccompProfile.type to ${quote(sorted(values))}`;
  if (required)
    return checkRequired(
      pod,
      (c) => c.seccompProfile !== undefined,
      bad,
      wrong,
      'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"',
    );
  const who = findSetters(pod, bad);
  return who && wrong(who);
}
