import type { VolumeEffect } from './effect.js';
import type { Given } from './fault-type.js';
import type { Parameter } from './values.js';

/** On which files of a volume a fault acts, and how often. */
export const FILES = {
  percent: { type: 'percent', default: 100, about: 'of the calls' },
  path: { type: 'text', default: '', about: 'what is mounted there, whatever it is; absent: claims' },
  below: { type: 'text', default: '', about: 'only this file, or what is below this folder, from the mount on' },
} as const satisfies Readonly<Record<string, Parameter>>;

/** The same, and in which calls. */
export const CALLS = {
  calls: { type: 'choice', of: ['all', 'read', 'write'], default: 'all', about: 'which of them' },
  ...FILES,
} as const satisfies Readonly<Record<string, Parameter>>;

type Scope = Pick<VolumeEffect, 'pods' | 'claims' | 'containers' | 'mountPath' | 'below'>;

/** What FILES say, but for how often. */
export const filesOf = ({ scope, target: { claims, containers }, values }: Given): Scope => ({
  pods: scope,
  ...(claims ? { claims } : {}),
  ...(containers ? { containers } : {}),
  ...(values.text('path') === '' ? {} : { mountPath: values.text('path') }),
  ...(values.text('below') === '' ? {} : { below: values.text('below') }),
});

/** What CALLS say, but for how often. */
export const callsOf = (given: Given): Scope & Pick<VolumeEffect, 'calls'> => ({
  ...filesOf(given),
  ...(given.values.text('calls') === 'all' ? {} : { calls: given.values.text<'read' | 'write'>('calls') }),
});
