import type { Plain } from '../../../../../engine/kernel/process/program.js';
import type { FileObject } from '../../discovery/manifest.js';
import { pathOf, type ServerResource, shownResource } from '../../discovery/resources.js';
import { listOf, queryOf } from '../../discovery/targets.js';
import { ApiFailure, KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import { dryRunOf, dryRunSuffix } from '../command.js';
import { LAST_APPLIED } from './last-applied.js';

/** `group/version/kind` of what is pruned by default. Models pkg/util/prune. */
const NAMESPACED = [
  ...['/v1/ConfigMap', '/v1/Endpoints', '/v1/PersistentVolumeClaim', '/v1/Pod', '/v1/ReplicationController'],
  ...['/v1/Secret', '/v1/Service', 'batch/v1/Job', 'batch/v1/CronJob', 'networking.k8s.io/v1/Ingress'],
  ...['apps/v1/DaemonSet', 'apps/v1/Deployment', 'apps/v1/ReplicaSet', 'apps/v1/StatefulSet'],
];
const CLUSTER_WIDE = ['/v1/Namespace', '/v1/PersistentVolume'];

/** Models ApplyOptions.Validate. Throws KubectlFailure. */
export function checkPrune({ flags }: Session): void {
  if (flags.isOn('all') && flags.has('selector'))
    throw new KubectlFailure('cannot set --all and --selector at the same time');
  if (!flags.isOn('all') && flags.value('selector') === '')
    throw new KubectlFailure(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
}

type Plan = {
  readonly kept: readonly string[];
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
};

/** What is left to do when all files are applied. */
export function planPrune(session: Session, files: readonly FileObject[]): Task {
  const allowed = [...session.flags.all('prune-allowlist'), ...session.flags.all('prune-whitelist')];
  for (const text of allowed) findKind(session, text);
  const plan: Plan = {
    kept: files.map(({ resource, namespace, name }) => keyOf(resource, namespace, name)),
    namespaces: [...new Set(files.flatMap(({ resource, namespace }) => (resource.isNamespaced ? [namespace] : [])))],
    kinds: allowed.length > 0 ? allowed : [...NAMESPACED, ...CLUSTER_WIDE],
  };
  return task('apply prune', plan as unknown as Plain);
}

const keyOf = ({ group, kind }: ServerResource, namespace: string, name: string): string =>
  [group, kind, namespace, name].join('/');

function findKind({ resources }: Session, text: string): ServerResource {
  const parts = text.split('/');
  if (parts.length !== 3)
    throw new KubectlFailure(`invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`);
  const [group = '', version = '', kind = ''] = parts;
  const own = group === 'core' ? '' : group;
  const found = resources.find((one) => one.group === own && one.version === version && one.kind === kind);
  if (!found)
    throw new KubectlFailure(`no matches for kind "${kind}" in version "${own === '' ? '' : `${own}/`}${version}"`);
  return found;
}

/** Deletes what was applied once and is in no file any more. Models pkg/cmd/apply/prune.go. */
export function prune(session: Session, data: Plain): void {
  const { kept, namespaces, kinds } = data as unknown as Plan;
  if (session.hasFailed) return;
  const resources = kinds.map((kind) => findKind(session, kind));
  for (const namespace of namespaces)
    for (const resource of resources) if (resource.isNamespaced) pruneKind(session, resource, namespace, kept);
  for (const resource of resources) if (!resource.isNamespaced) pruneKind(session, resource, '', kept);
}

function pruneKind(session: Session, resource: ServerResource, namespace: string, kept: readonly string[]): void {
  try {
    for (const object of listOf(session, resource, namespace, queryOf(session))) {
      const { name = '', namespace: own = '', annotations = {} } = object.metadata ?? {};
      if (annotations[LAST_APPLIED] === undefined || kept.includes(keyOf(resource, own, name))) continue;
      pruneOne(session, resource, object);
    }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const what = `${resource.isNamespaced ? 'namespaced' : 'nonNamespaced'} object ${resource.group}/${resource.version}, Kind=${resource.kind}`;
    throw new KubectlFailure(`error pruning ${what}: ${error.message}`);
  }
}

function pruneOne(session: Session, resource: ServerResource, { metadata = {} }: ApiObject): void {
  const { name = '', namespace = '' } = metadata;
  const { flags } = session;
  const mode = dryRunOf(session);
  const grace = flags.value('grace-period');
  const options = {
    ...{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
    ...(grace === '' || grace === '-1' ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(mode === 'server' ? { dryRun: ['All'] } : {}),
  };
  if (mode !== 'client') session.send('DELETE', pathOf(resource, namespace, name), options, 'application/json');
  if (!flags.has('output')) session.out(`${shownResource(resource)}/${name} pruned${dryRunSuffix(session)}\n`);
}
