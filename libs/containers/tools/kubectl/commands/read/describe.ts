import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { describeBinding, describeRole } from '../../describe/access.js';
import {
  describeAddress,
  describeEndpoints,
  describeEndpointSlice,
  describeServiceRange,
} from '../../describe/addresses.js';
import { describeAutoscaler } from '../../describe/autoscaler.js';
import {
  describeConfigMap,
  describeLimitRange,
  describeNamespace,
  describeQuota,
  describeSecret,
  describeServiceAccount,
} from '../../describe/config.js';
import { Details } from '../../describe/parts/details.js';
import { describeAnything } from '../../describe/generic.js';
import { describeIngress, describeIngressClass } from '../../describe/ingress.js';
import { describeCronJob, describeJob } from '../../describe/jobs.js';
import { describeNetworkPolicy } from '../../describe/network-policy.js';
import { describeNode } from '../../describe/node.js';
import { describePod } from '../../describe/pod.js';
import { describeBudget, describePriorityClass } from '../../describe/scheduling.js';
import { describeService } from '../../describe/service.js';
import { describeSigningRequest } from '../../describe/signing-request.js';
import { describeClaim, describeStorageClass, describeVolume } from '../../describe/storage.js';
import {
  describeDaemonSet,
  describeDeployment,
  describeReplicaSet,
  describeStatefulSet,
} from '../../describe/workloads.js';
import { loadFiles } from '../../discovery/manifest.js';
import { pathOf, qualifiedPlural, type ServerResource } from '../../discovery/resources.js';
import { attempt, identity, listOf, readTargets, scopeOf } from '../../discovery/targets.js';
import { FILES, SELECT } from '../../flags/groups.js';
import { ApiFailure, KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';

type Describe = (session: Session, details: Details, object: ApiObject) => void;

/** What has a layout of its own; everything else is told field by field. */
const DESCRIBERS: Readonly<Record<string, Describe>> = {
  pods: describePod,
  nodes: describeNode,
  services: describeService,
  configmaps: describeConfigMap,
  secrets: describeSecret,
  namespaces: describeNamespace,
  serviceaccounts: describeServiceAccount,
  'deployments.apps': describeDeployment,
  'replicasets.apps': describeReplicaSet,
  'daemonsets.apps': describeDaemonSet,
  'statefulsets.apps': describeStatefulSet,
  persistentvolumeclaims: describeClaim,
  persistentvolumes: describeVolume,
  'storageclasses.storage.k8s.io': describeStorageClass,
  resourcequotas: describeQuota,
  limitranges: describeLimitRange,
  'jobs.batch': describeJob,
  'cronjobs.batch': describeCronJob,
  endpoints: describeEndpoints,
  'endpointslices.discovery.k8s.io': describeEndpointSlice,
  'networkpolicies.networking.k8s.io': describeNetworkPolicy,
  'ingresses.networking.k8s.io': describeIngress,
  'ingressclasses.networking.k8s.io': describeIngressClass,
  'servicecidrs.networking.k8s.io': describeServiceRange,
  'ipaddresses.networking.k8s.io': describeAddress,
  'horizontalpodautoscalers.autoscaling': describeAutoscaler,
  'poddisruptionbudgets.policy': describeBudget,
  'priorityclasses.scheduling.k8s.io': describePriorityClass,
  'certificatesigningrequests.certificates.k8s.io': describeSigningRequest,
  'roles.rbac.authorization.k8s.io': describeRole,
  'clusterroles.rbac.authorization.k8s.io': describeRole,
  'rolebindings.rbac.authorization.k8s.io': describeBinding,
  'clusterrolebindings.rbac.authorization.k8s.io': describeBinding,
};

type Described = {
  readonly resource: ServerResource;
  readonly namespace: string;
  readonly name: string;
  readonly first: boolean;
  /** Of one among several: events are told only when they are asked for. */
  readonly isOne: boolean;
};

const describe: Command = {
  flags: [...SELECT, ...FILES, 'show-events', 'chunk-size:'],
  run(session) {
    const { flags, args } = session;
    const found: Omit<Described, 'first' | 'isOne'>[] = [];
    for (const { resource, namespace, name } of loadFiles(session)) found.push({ resource, namespace, name });
    if (args.length === 0 && found.length === 0)
      throw new KubectlFailure(
        'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    for (const { resource, names } of readTargets(session, args)) {
      if (names.length > 0 && flags.isOn('all-namespaces'))
        throw new KubectlFailure('a resource cannot be retrieved by name across all namespaces');
      if (names.length === 0)
        for (const { metadata = {} } of listOf(session, resource, scopeOf(session)))
          found.push({ resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
      for (const name of names) found.push(...matches(session, resource, name));
    }
    if (found.length === 0 && session.code === 0)
      session.err(
        flags.isOn('all-namespaces')
          ? 'No resources found\n'
          : `No resources found in ${session.namespace} namespace.\n`,
      );
    return found.map((one, at) =>
      task('describe object', { ...one, first: at === 0, isOne: found.length === 1 } as unknown as Plain),
    );
  },
};

/** The object of a name, or those whose names begin with it. */
function matches(session: Session, resource: ServerResource, name: string): Omit<Described, 'first' | 'isOne'>[] {
  const namespace = resource.isNamespaced ? session.namespace : '';
  const answer = session.call({ path: pathOf(resource, namespace, name) });
  if (answer.status < 400) return [{ resource, namespace, name }];
  if (answer.status !== 404) {
    attempt(session, () => {
      throw new ApiFailure(answer.status, JSON.parse(answer.body) as object);
    });
    return [];
  }
  const similar = listOf(session, resource, namespace, '').filter(
    ({ metadata }) => metadata?.name?.startsWith(name) === true,
  );
  if (similar.length === 0)
    attempt(session, () => {
      throw new ApiFailure(404, { reason: 'NotFound', message: `${qualifiedPlural(resource)} "${name}" not found` });
    });
  return similar.map(({ metadata = {} }) => ({ resource, namespace, name: metadata.name ?? '' }));
}

function describeOne(session: Session, data: Plain): Task[] {
  const { resource, namespace, name, first, isOne } = data as unknown as Described;
  attempt(session, () => {
    const object = { ...identity(resource), ...session.get(pathOf(resource, namespace, name)) };
    const key = qualifiedPlural(resource);
    const details = new Details(isOne || session.flags.isOn('show-events'));
    (Object.hasOwn(DESCRIBERS, key) ? DESCRIBERS[key]! : describeAnything)(session, details, object);
    session.out(`${first ? '' : '\n\n'}${details.aligned()}`);
    return [];
  });
  return [];
}

export const group: CommandGroup = { commands: { describe }, tasks: { 'describe object': describeOne } };
