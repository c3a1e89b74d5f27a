import type { ApiObject, Session } from '../kubectl/session/session.js';
import { attempt, envOf } from './api.js';
import type { ProbeError } from './probes/types.js';

/** A container that a helper acts on. */
export type Target = { name: string; namespace: string; container: string };

const HELPER = 'HELPER_ERROR';

/** Of TARGETS: 'web-1:default:nginx;…'. Models common.ParseTargets. */
export function parseTargets(text: string, parts: number): Target[] | ProbeError {
  if (text === '') return { errorCode: HELPER, reason: 'no target found, provide atleast one target' };
  const targets: Target[] = [];
  for (const one of text.split(';')) {
    const fields = one.split(':');
    if (fields.length !== parts)
      return { errorCode: HELPER, reason: `unsupported target format: '[${fields.join(' ')}]'` };
    const [name = '', namespace = '', container = ''] = fields;
    targets.push({ name, namespace, container });
  }
  return targets;
}

export const podPath = ({ name, namespace }: Target): string => `/api/v1/namespaces/${namespace}/pods/${name}`;

/** The pod, or why it cannot be acted on. */
export function getPod(session: Session, target: Target): { readonly pod: ApiObject } | { readonly error: ProbeError } {
  const { object, failure } = attempt(() => session.get(podPath(target)));
  const where = `{podName: ${target.name}, namespace: ${target.namespace}}`;
  if (object === undefined) return { error: { errorCode: HELPER, reason: failure, target: where } };
  return { pod: object };
}

interface Status {
  readonly name: string;
  readonly containerID?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
}

export const statusOf = (pod: ApiObject, container: string): Status | undefined =>
  ((pod['status'] as { containerStatuses?: readonly Status[] } | undefined)?.containerStatuses ?? []).find(
    ({ name }) => name === container,
  );

/** Models GetContainerID. */
export function containerIdOf(session: Session, target: Target, pod: ApiObject): string | ProbeError {
  const id = statusOf(pod, target.container)?.containerID?.split('//')[1] ?? '';
  if (id !== '') return id;
  const { name, namespace, container } = target;
  return {
    ...{ errorCode: 'CONTAINER_RUNTIME_ERROR', reason: 'no container found with specified name' },
    target: `{podName: ${name}, namespace: ${namespace}, container: ${container}}`,
    ...(envOf(session, 'POD_NAME') === '' ? {} : { source: envOf(session, 'POD_NAME') }),
  };
}

export const describeTarget = ({ name, namespace, container }: Target): string =>
  `{name: ${name}, namespace: ${namespace}, container: ${container}}`;
