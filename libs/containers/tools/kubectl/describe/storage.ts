import { listOf, resourceNamed } from '../discovery/targets.js';
import { printGo } from '../output/columns.js';
import type { ApiObject, KubeJson, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details, sortedKeys } from './parts/details.js';
import { describeEvents } from './parts/events.js';

type Fields = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

const partOf = (object: ApiObject, name: 'spec' | 'status'): Fields => (object[name] ?? {}) as Fields;
const finalizersOf = ({ metadata }: ApiObject): string =>
  `[${((metadata?.['finalizers'] ?? []) as string[]).join(' ')}]`;
const SHORT: Texts = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };
const modesOf = (modes: unknown): string => ((modes ?? []) as string[]).map((mode) => SHORT[mode] ?? mode).join(',');
const text = (value: unknown): string => (value === undefined || value === null ? '' : printGo(value));

/** Models k8s.io/kubectl/pkg/describe describePVC. Left out: data sources and conditions. */
export function describeClaim(session: Session, details: Details, object: ApiObject): void {
  const { name = '', namespace = '', labels, annotations, deletionTimestamp } = object.metadata ?? {};
  const [spec, status] = [partOf(object, 'spec'), partOf(object, 'status')];
  const isBound = text(spec['volumeName']) !== '';
  details.field(0, 'Name', name);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'StorageClass', text(spec['storageClassName']));
  details.field(0, 'Status', deletionTimestamp ? 'Terminating' : text(status['phase']));
  details.field(0, 'Volume', text(spec['volumeName']));
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  details.field(0, 'Finalizers', finalizersOf(object));
  details.field(0, 'Capacity', isBound ? text((status['capacity'] as Fields | undefined)?.['storage']) : '');
  details.field(0, 'Access Modes', isBound ? modesOf(status['accessModes']) : '');
  if (spec['volumeMode'] !== undefined) details.field(0, 'VolumeMode', text(spec['volumeMode']));
  const users = usersOf(session, namespace, name);
  details.field(0, 'Used By', users.join('\n\t') || '<none>');
  describeEvents(session, details, object);
}

function usersOf(session: Session, namespace: string, claim: string): string[] {
  const pods = listOf(session, resourceNamed(session, 'pods'), namespace, '');
  const volumesOf = (pod: ApiObject): readonly Fields[] => (partOf(pod, 'spec')['volumes'] ?? []) as readonly Fields[];
  return pods
    .filter((pod) =>
      volumesOf(pod).some((volume) => (volume['persistentVolumeClaim'] as Fields | undefined)?.['claimName'] === claim),
    )
    .map(({ metadata }) => metadata?.name ?? '');
}

/** What describe says of a source, and its fields. */
const SOURCES: Readonly<Record<string, readonly [type: string, ...fields: string[]]>> = {
  hostPath: ['HostPath (bare host directory volume)', 'Path', 'HostPathType'],
  local: ['LocalVolume (a persistent volume backed by local storage on a node)', 'Path'],
  nfs: ['NFS (an NFS mount that lasts the lifetime of a pod)', 'Server', 'Path', 'ReadOnly'],
  csi: ['CSI (a Container Storage Interface (CSI) volume source)', 'Driver', 'FSType', 'VolumeHandle', 'ReadOnly'],
};
const FIELDS: Texts = { HostPathType: 'type', FSType: 'fsType' };

/** Models k8s.io/kubectl/pkg/describe describePersistentVolume, of the sources above. */
export function describeVolume(session: Session, details: Details, object: ApiObject): void {
  const { name = '', labels, annotations, deletionTimestamp } = object.metadata ?? {};
  const [spec, status] = [partOf(object, 'spec'), partOf(object, 'status')];
  const claim = spec['claimRef'] as Texts | undefined;
  details.field(0, 'Name', name);
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  details.field(0, 'Finalizers', finalizersOf(object));
  details.field(0, 'StorageClass', text(spec['storageClassName']));
  details.field(0, 'Status', deletionTimestamp ? 'Terminating' : text(status['phase']));
  details.field(0, 'Claim', claim ? `${claim['namespace']}/${claim['name']}` : '');
  details.field(0, 'Reclaim Policy', text(spec['persistentVolumeReclaimPolicy']));
  details.field(0, 'Access Modes', modesOf(spec['accessModes']));
  if (spec['volumeMode'] !== undefined) details.field(0, 'VolumeMode', text(spec['volumeMode']));
  details.field(0, 'Capacity', text((spec['capacity'] as Fields | undefined)?.['storage']));
  describeAffinity(details, spec['nodeAffinity'] as Fields | undefined);
  details.field(0, 'Message', text(status['message']));
  details.line(0, 'Source:');
  describeSource(details, spec);
  describeEvents(session, details, object);
}

function describeSource(details: Details, spec: Fields): void {
  const kind = Object.keys(SOURCES).find((one) => spec[one] !== undefined);
  if (kind === undefined) return details.line(1, '<unknown>');
  const [type, ...fields] = SOURCES[kind]!;
  const source = spec[kind] as Fields;
  details.line(0, `    Type:\t${type}`);
  for (const field of fields) {
    const key = FIELDS[field] ?? field.replace(/^./, (first) => first.toLowerCase());
    details.line(0, `    ${field}:\t${text(source[key] ?? (field === 'ReadOnly' ? false : ''))}`);
  }
  const more = source['volumeAttributes'] as Texts | undefined;
  if (kind !== 'csi') return;
  const attributes = sortedKeys(more).map((key) => `${key}=${more![key]}`);
  details.line(0, `    VolumeAttributes:\t    ${attributes.join('\n\t    ') || '<none>'}`);
}

interface Term {
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

function describeAffinity(details: Details, affinity: Fields | undefined): void {
  const required = affinity?.['required'] as { nodeSelectorTerms?: readonly Term[] } | undefined;
  if (!required) return details.field(0, 'Node Affinity', '<none>');
  details.line(0, 'Node Affinity:\t');
  details.line(1, 'Required Terms:\t');
  (required.nodeSelectorTerms ?? []).forEach(({ matchExpressions = [] }, at) => {
    const shown = matchExpressions.map(
      ({ key, operator, values = [] }) =>
        `${key} ${operator.toLowerCase()}${values.length > 0 ? ` [${values.join(', ')}]` : ''}`,
    );
    details.line(2, `Term ${at}:\t${shown.join('\n\t') || '<none>'}`);
  });
}

/** Models k8s.io/kubectl/pkg/describe describeStorageClass. */
export function describeStorageClass(session: Session, details: Details, object: ApiObject): void {
  const { name = '', annotations } = object.metadata ?? {};
  const pairs = (map: Texts | undefined): string =>
    sortedKeys(map)
      .map((key) => `${key}=${map![key]}`)
      .join(',') || '<none>';
  const isDefault = annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
  const expands = (object as KubeJson)['allowVolumeExpansion'];
  details.field(0, 'Name', name);
  details.field(0, 'IsDefaultClass', isDefault ? 'Yes' : 'No');
  details.field(0, 'Annotations', pairs(annotations));
  details.field(0, 'Provisioner', text(object['provisioner']));
  details.field(0, 'Parameters', pairs(object['parameters'] as Texts | undefined));
  details.field(0, 'AllowVolumeExpansion', expands === undefined ? '<unset>' : expands === true ? 'True' : 'False');
  const options = (object['mountOptions'] ?? []) as readonly string[];
  if (options.length === 0) details.field(0, 'MountOptions', '<none>');
  else details.line(0, `MountOptions:\n  ${options.join('\n  ')}`);
  details.field(0, 'ReclaimPolicy', text(object['reclaimPolicy']));
  details.field(0, 'VolumeBindingMode', text(object['volumeBindingMode']));
  describeEvents(session, details, object);
}
