import type { Container, Pod } from '../../../../engine/api/core_v1.js';
import { ageSince } from '../../../../engine/machinery/time/time.js';
import type { ApiObject, Session } from '../session/session.js';
import { describeContainers } from './parts/containers.js';
import { controllerOf, describeAnnotations, describeLabels, type Details, longTime } from './parts/details.js';
import { describeEvents } from './parts/events.js';
import { describeTolerations, describeVolumes } from './parts/volumes.js';

/** Models k8s.io/kubectl/pkg/describe describePod. */
export function describePod(session: Session, details: Details, object: ApiObject): void {
  const pod = object as unknown as Pod;
  const { metadata, spec, status } = pod;
  describeIdentity(session, details, pod);
  if (spec.initContainers?.length)
    describeContainers(details, 'Init Containers', spec.initContainers, status.initContainerStatuses, '', pod);
  describeContainers(details, 'Containers', spec.containers, status.containerStatuses, '', pod);
  if (spec.ephemeralContainers?.length) {
    const containers = spec.ephemeralContainers as unknown as readonly Container[];
    describeContainers(details, 'Ephemeral Containers', containers, status.ephemeralContainerStatuses, '', pod);
  }
  describeConditions(details, pod);
  describeVolumes(details, spec.volumes, '');
  details.field(0, 'QoS Class', status.qosClass ?? 'BestEffort');
  describeLabels(details, 'Node-Selectors', spec.nodeSelector);
  describeTolerations(details, spec.tolerations);
  describeSpread(details, pod);
  describeEvents(session, details, {
    ...object,
    kind: 'Pod',
    metadata: metadata as ApiObject['metadata'],
  } as ApiObject);
}

function describeIdentity(session: Session, details: Details, { metadata, spec, status }: Pod): void {
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Namespace', metadata.namespace ?? '');
  if (spec.priority !== undefined) details.field(0, 'Priority', spec.priority);
  if (spec.priorityClassName) details.field(0, 'Priority Class Name', spec.priorityClassName);
  if (spec.runtimeClassName) details.field(0, 'Runtime Class Name', spec.runtimeClassName);
  if (spec.serviceAccountName) details.field(0, 'Service Account', spec.serviceAccountName);
  details.field(0, 'Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) details.field(0, 'Start Time', longTime(status.startTime));
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  const isOver = status.phase === 'Failed' || status.phase === 'Succeeded';
  if (metadata.deletionTimestamp && !isOver) {
    details.field(0, 'Status', `Terminating (lasts ${ageSince(metadata.deletionTimestamp, session.now)})`);
    details.field(0, 'Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else details.field(0, 'Status', status.phase ?? '');
  if (status.reason) details.field(0, 'Reason', status.reason);
  if (status.message) details.field(0, 'Message', status.message);
  if (spec.securityContext?.seccompProfile)
    details.field(0, 'SeccompProfile', spec.securityContext.seccompProfile.type);
  details.field(0, 'IP', status.podIP ?? '');
  if (status.podIPs?.length) {
    details.line(0, 'IPs:');
    for (const { ip = '' } of status.podIPs) details.field(1, 'IP', ip);
  } else details.field(0, 'IPs', '<none>');
  const controller = controllerOf(metadata.ownerReferences);
  if (controller !== '') details.field(0, 'Controlled By', controller);
  if (status.nominatedNodeName) details.field(0, 'NominatedNodeName', status.nominatedNodeName);
}

function describeConditions(details: Details, { spec, status }: Pod): void {
  const conditions = status.conditions ?? [];
  if (spec.readinessGates?.length) {
    details.line(0, 'Readiness Gates:\n  Type\tStatus');
    for (const { conditionType } of spec.readinessGates)
      details.line(
        1,
        `${conditionType} \t${conditions.find(({ type }) => type === conditionType)?.status ?? '<none>'} `,
      );
  }
  if (conditions.length === 0) return;
  details.line(0, 'Conditions:\n  Type\tStatus');
  for (const { type, status: is } of conditions) details.line(1, `${type} \t${is} `);
}

function describeSpread(details: Details, { spec }: Pod): void {
  const constraints = spec.topologySpreadConstraints ?? [];
  if (constraints.length === 0) return;
  details.write(0, 'Topology Spread Constraints:\t');
  constraints.forEach((one, at) => {
    const labels = Object.entries(one.labelSelector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
    const selector = labels.length > 0 ? ` for selector ${labels.sort().join(',')}` : '';
    details.write(
      0,
      `${at > 0 ? '\t' : ''}${one.topologyKey}:${one.whenUnsatisfiable} when max skew ${one.maxSkew} is exceeded${selector}\n`,
    );
  });
}
