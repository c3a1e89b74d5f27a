import { LimitRanges } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, type World } from '../../world.js';

const REFUSAL =
  /(minimum|maximum) ([a-z0-9.-]+) usage per (\w+)|\b([a-z0-9.-]{1,63}) max limit to request ratio per (\w+)/g;
const FIELDS: Readonly<Record<string, 'min' | 'max'>> = { minimum: 'min', maximum: 'max' };

/** The LimitRange that bounds what a refusal speaks of. */
export function limitFindings({ read }: World, namespace: string, message: string): WhyFinding[] {
  const bounds = [...message.matchAll(REFUSAL)];
  if (bounds.length === 0) return [];
  return read.list(LimitRanges, namespace).flatMap((range) => {
    const details = bounds.flatMap(([, bound, resource = '', type, ratio = '', ratioType]) =>
      (range.spec?.limits ?? []).flatMap((limit) => {
        if (limit.type !== (type ?? ratioType)) return [];
        const value = bound ? limit[FIELDS[bound]!]?.[resource] : limit.maxLimitRequestRatio?.[ratio];
        return value === undefined ? [] : [`${bound ?? 'ratio'} of ${resource || ratio} per ${limit.type}: ${value}`];
      }),
    );
    if (details.length === 0) return [];
    return [findingOf(range, 'LimitRange', `it bounds what is created in the namespace ${namespace}`, { details })];
  });
}

const OVER = /exceeded quota: .*requested: ((?:(?:requests|limits)\.[a-z0-9.-]+=[^,]+,?)+)/;

/** A LimitRange that has given containers what a quota does not leave. */
export function defaultFindings({ read }: World, namespace: string, message: string): WhyFinding[] {
  const over = [...(OVER.exec(message)?.[1] ?? '').matchAll(/(requests|limits)\.([a-z0-9.-]+)=/g)];
  return read.list(LimitRanges, namespace).flatMap((range) => {
    const details = (range.spec?.limits ?? []).flatMap((limit) =>
      over.flatMap(([, what = '', resource = '']) => {
        const given = (what === 'requests' ? limit.defaultRequest : limit.default)?.[resource];
        return given === undefined ? [] : [`default of ${what}.${resource} per ${limit.type}: ${given}`];
      }),
    );
    if (details.length === 0) return [];
    const text = `it gives so much to what asks for nothing itself in the namespace ${namespace}`;
    return [findingOf(range, 'LimitRange', text, { details: [...new Set(details)] })];
  });
}
