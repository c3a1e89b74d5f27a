import { Refusal } from '../../refusal.js';
import type { Answer, LabCluster } from './lab-cluster.js';

export interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly annotations?: object };
  readonly [field: string]: unknown;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const SECOND_MS = 1_000;
/** How often something is tried that is not there yet: a kind, a webhook's server, a namespace. */
const TRIES = 30;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const CONFLICT = 409;

/**
 * Creates the object as `kubectl apply` would; one that is there already is patched. While its kind is not served yet
 * time goes on. Throws Refusal 422 with the cluster's own words.
 */
export function* applyObject(cluster: LabCluster, object: Manifest): Generator<void> {
  const { apiVersion = '', kind = '', metadata: { name = '' } = {} } = object;
  if (apiVersion === '' || kind === '' || name === '')
    throw new Refusal(422, 'manifests: an object must have apiVersion, kind and metadata.name');
  for (let tries = 1; ; tries++) {
    const answer = tryToApply(cluster, object);
    if (answer && answer.status < 400) return;
    if (tries >= TRIES || (answer && !isEarly(answer)))
      throw new Refusal(422, `${nameOf(object)}: ${answer ? reasonOf(answer) : 'no such kind is served'}`);
    yield* cluster.advancing(SECOND_MS);
    yield;
  }
}

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata?.name}`;

/** A webhook's server, a namespace or its service account may come yet. */
const isEarly = (answer: Answer): boolean =>
  answer.status >= 500 || answer.status === 404 || reasonOf(answer).includes('error looking up service account');

const reasonOf = ({ body }: Answer): string =>
  String((body as { message?: unknown } | null)?.message ?? JSON.stringify(body));

/** Undefined: its kind is not served. */
function tryToApply(cluster: LabCluster, object: Manifest): Answer | undefined {
  const { apiVersion = '', kind = '', metadata = {} } = object;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = cluster.call('GET', root);
  const resources = (body as { resources?: readonly Resource[] }).resources ?? [];
  const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'));
  if (!resource) return undefined;
  const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
  const path = `${root}${namespace}/${resource.name}`;
  const applied = { ...object, metadata: { ...metadata, annotations: annotationsOf(object) } };
  const made = cluster.call('POST', path, apiVersion.startsWith('terrarium.dev/') ? object : applied);
  return made.status === CONFLICT ? cluster.call('PATCH', `${path}/${metadata.name}`, applied) : made;
}

const annotationsOf = (object: Manifest): object => ({
  ...object.metadata?.annotations,
  [LAST_APPLIED]: `${JSON.stringify(object)}\n`,
});
