import type { Pod } from '../../../api/core_v1.js';
import { context, makeWithDefaults } from '../../testing.js';
import { kind } from './kind.js';

type Fields = Record<string, unknown>;

/** A container without defaults. */
export const web = { name: 'web', image: 'nginx:1.25' };

/** A pod with defaults; of one container unless the spec says otherwise. */
export const makePod = (spec: Fields = {}, status: Pod['status'] = {}, metadata: Fields = {}): Pod =>
  makeWithDefaults(kind, {
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { containers: [web], ...spec },
    status,
  });

const messagesOf = (errors: readonly { readonly message: string }[]): string[] => errors.map((error) => error.message);

/** The errors of a new pod. */
export const podErrors = (spec: Fields, metadata: Fields = {}): string[] =>
  messagesOf(kind.validate!(makePod(spec, {}, metadata), context));

/** The errors of a new pod whose container has these fields. */
export const containerErrors = (container: Fields, spec: Fields = {}): string[] =>
  podErrors({ containers: [{ ...web, ...container }], ...spec });

export const podUpdateErrors = (before: Fields, after: Fields): string[] =>
  messagesOf(kind.validateUpdate!(makePod(after), makePod(before), context));
