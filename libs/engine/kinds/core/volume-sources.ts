/**
 * The sources of volumes, in pods and in persistent volumes. Models validateVolumeSource and its parts of
 * pkg/apis/core/validation.
 */
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../machinery/meta/field.js';
import { between, invalidEach, isDNS1123Label, isDNS1123Subdomain } from '../../machinery/meta/validation.js';
import { validateCSIDriverName } from '../csi-driver-name.js';
import { validatePathNoBacksteps, validateLocalDescendingPath } from './local-paths.js';

type Source = Readonly<Record<string, unknown>>;
type Check = (source: Source, at: Path, errors: FieldError[]) => void;

const MAX_UNIT = 255;
const MAX_TENANT = 64;
const PARTITION = between(1, 255);
const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const CACHING = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_URI = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const HOST_PORTS = 'must be a host:port pair or multiple pairs separated by commas';
const ISCSI_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /^iqn\.\d{4}-\d{2}\.([a-z0-9][-.a-z0-9]*)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

const text = (source: Source, field: string): string => (source[field] as string | undefined) ?? '';
const number = (source: Source, field: string): number => (source[field] as number | undefined) ?? 0;
const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);

const needs =
  (...fields: string[]): Check =>
  (source, at, errors) => {
    for (const field of fields) if (isEmpty(source[field])) errors.push(required(at.child(field)));
  };
const all =
  (...checks: Check[]): Check =>
  (source, at, errors) =>
    checks.forEach((check) => check(source, at, errors));

const unit =
  (field: string, detail: string): Check =>
  (source, at, errors) => {
    const value = number(source, field);
    if (value < 0 || value > MAX_UNIT) errors.push(invalidValue(at.child(field), value, detail));
  };

/** Fields that the secretRef must have: its name and, in persistent volumes, its namespace. */
const secretNeeds =
  (...fields: string[]): Check =>
  (source, at, errors) => {
    const secret = source['secretRef'] as Source | undefined;
    if (secret) needs(...fields)(secret, at.child('secretRef'), errors);
  };

const hostPath: Check = (source, at, errors) => {
  const path = text(source, 'path');
  if (!path) return void errors.push(required(at.child('path')));
  validatePathNoBacksteps(path, at.child('path'), errors);
  if (!HOST_PATH_TYPES.includes(text(source, 'type')))
    errors.push(notSupported(at.child('type'), source['type'], HOST_PATH_TYPES));
};

const nfs: Check = (source, at, errors) => {
  needs('server', 'path')(source, at, errors);
  if (!text(source, 'path').startsWith('/'))
    errors.push(invalidValue(at.child('path'), text(source, 'path'), 'must be an absolute path'));
};

const iscsi =
  (unlike: string): Check =>
  (source, at, errors) => {
    needs('targetPortal')(source, at, errors);
    if (!text(source, 'iqn')) errors.push(required(at.child('iqn')));
    else iscsiName(text(source, 'iqn'), at.child('iqn'), unlike, errors);
    unit('lun', between(0, MAX_UNIT))(source, at, errors);
    if ((source['chapAuthDiscovery'] || source['chapAuthSession']) && !source['secretRef'])
      errors.push(required(at.child('secretRef')));
  };
const initiator =
  (unlike: string): Check =>
  (source, at, errors) => {
    if (source['initiatorName'] !== undefined)
      iscsiName(text(source, 'initiatorName'), at.child('initiatorname'), unlike, errors);
  };
function iscsiName(name: string, at: Path, unlike: string, errors: FieldError[]): void {
  const pattern = ISCSI_NAMES[name.slice(0, 3)];
  if (!pattern) errors.push(invalidValue(at, name, unlike));
  else if (!pattern.test(name)) errors.push(invalidValue(at, name, 'must be valid format'));
}

const fc: Check = (source, at, errors) => {
  const [names, ids] = [source['targetWWNs'], source['wwids']];
  if (isEmpty(names) && isEmpty(ids))
    errors.push(required(at.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both'));
  if (isEmpty(names)) return;
  if (!isEmpty(ids))
    errors.push(
      invalidValue(at.child('targetWWNs'), names, 'targetWWNs and wwids can not be specified simultaneously'),
    );
  if (source['lun'] === undefined) errors.push(required(at.child('lun'), 'lun is required if targetWWNs is specified'));
  else unit('lun', between(0, MAX_UNIT))(source, at, errors);
};

const quobyte: Check = (source, at, errors) => {
  const registry = text(source, 'registry');
  if (!registry) errors.push(required(at.child('registry'), HOST_PORTS));
  else if (text(source, 'tenant').length > MAX_TENANT)
    errors.push(required(at.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  else
    for (const pair of registry.split(','))
      if (!/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair))
        errors.push(invalidValue(at.child('registry'), registry, HOST_PORTS));
  needs('volume')(source, at, errors);
};

const flocker: Check = (source, at, errors) => {
  const [name, id] = [text(source, 'datasetName'), text(source, 'datasetUUID')];
  if (!name && !id) errors.push(required(at, 'one of datasetName and datasetUUID is required'));
  if (name && id)
    errors.push(invalidValue(at, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  if (name.includes('/')) errors.push(invalidValue(at.child('datasetName'), name, "must not contain '/'"));
};

const flexVolume: Check = (source, at, errors) => {
  needs('driver')(source, at, errors);
  for (const key of Object.keys((source['options'] as object | undefined) ?? {})) {
    if (/(^|\.)(kubernetes|k8s)\.io$/.test(key.split('/')[0]!.toLowerCase()))
      errors.push(invalidValue(at.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'));
  }
};

const azureDisk: Check = (source, at, errors) => {
  needs('diskName', 'diskURI')(source, at, errors);
  const { cachingMode, kind } = source;
  if (cachingMode !== undefined && !CACHING.includes(cachingMode as string))
    errors.push(notSupported(at.child('cachingMode'), cachingMode, CACHING));
  if (kind !== undefined && !DISK_KINDS.includes(kind as string))
    errors.push(notSupported(at.child('kind'), kind, DISK_KINDS));
  if (kind === undefined) return;
  const [prefix, shape] = kind === 'Managed' ? ['/subscriptions/', MANAGED_URI] : ['https://', BLOB_URI];
  if (!text(source, 'diskURI').startsWith(prefix))
    errors.push(notSupported(at.child('diskURI'), text(source, 'diskURI'), [shape]));
};

const storageos: Check = (source, at, errors) => {
  for (const field of ['volumeName', 'volumeNamespace']) {
    const name = text(source, field);
    if (name) errors.push(...invalidEach(at.child(field), name, isDNS1123Label(name)));
    else if (field === 'volumeName') errors.push(required(at.child(field)));
  }
};

const gitRepo: Check = (source, at, errors) => {
  needs('repository')(source, at, errors);
  validateLocalDescendingPath(text(source, 'directory'), at.child('directory'), errors);
};

const csi: Check = (source, at, errors) => {
  errors.push(...validateCSIDriverName(at.child('driver'), text(source, 'driver')));
  const secret = source['nodePublishSecretRef'] as Source | undefined;
  if (!secret) return;
  const name = text(secret, 'name');
  // Upstream reports a bad name at the source, not at the reference.
  errors.push(
    ...(name
      ? invalidEach(at.child('name'), name, isDNS1123Subdomain(name))
      : [required(at.child('nodePublishSecretRef', 'name'))]),
  );
};

const volumeCsi: Check = (source, at, errors) => {
  errors.push(...validateCSIDriverName(at.child('driver'), text(source, 'driver')));
  needs('volumeHandle')(source, at, errors);
  for (const field of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ]) {
    const secret = source[field] as Source | undefined;
    if (!secret) continue;
    for (const [part, rule] of [
      ['name', isDNS1123Subdomain],
      ['namespace', isDNS1123Label],
    ] as const) {
      const own = at.child(field, part);
      errors.push(
        ...(text(secret, part) ? invalidEach(own, text(secret, part), rule(text(secret, part))) : [required(own)]),
      );
    }
  }
};

const localVolume: Check = (source, at, errors) => {
  if (text(source, 'path')) validatePathNoBacksteps(text(source, 'path'), at.child('path'), errors);
  else errors.push(required(at.child('path')));
};

const endpointsNamespace: Check = (source, at, errors) => {
  const namespace = source['endpointsNamespace'] as string | undefined;
  if (namespace === undefined) return;
  errors.push(
    ...invalidEach(
      at.child('endpointsNamespace'),
      namespace,
      namespace ? isDNS1123Label(namespace) : ['if the endpointnamespace is set, it must be a valid namespace name'],
    ),
  );
};

const azureNamespace: Check = (source, at, errors) => {
  if (source['secretNamespace'] === '') errors.push(required(at.child('secretNamespace')));
};

const FORMAT = 'must be valid format';
const STARTS = 'must be valid format starting with iqn, eui, or naa';

const SHARED: Readonly<Record<string, Check>> = {
  hostPath,
  gcePersistentDisk: all(needs('pdName'), unit('partition', PARTITION)),
  awsElasticBlockStore: all(needs('volumeID'), unit('partition', PARTITION)),
  nfs,
  glusterfs: needs('endpoints', 'path'),
  flocker,
  rbd: needs('monitors', 'image'),
  cephfs: needs('monitors'),
  quobyte,
  fc,
  flexVolume,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  scaleIO: needs('gateway', 'system', 'volumeName'),
};

/** The sources of a pod's volume, but for those that volumes.ts validates. */
export const podSources: Readonly<Record<string, Check>> = {
  ...SHARED,
  gitRepo,
  iscsi: all(iscsi(STARTS), initiator(STARTS)),
  persistentVolumeClaim: needs('claimName'),
  cinder: all(needs('volumeID'), secretNeeds('name')),
  storageos: all(storageos, secretNeeds('name')),
  csi,
};

export const volumeSources: Readonly<Record<string, Check>> = {
  ...SHARED,
  glusterfs: all(needs('endpoints', 'path'), endpointsNamespace),
  iscsi: all(iscsi(FORMAT), secretNeeds('name'), initiator(FORMAT)),
  cinder: all(needs('volumeID'), secretNeeds('name', 'namespace')),
  azureFile: all(needs('secretName', 'shareName'), azureNamespace),
  storageos: all(storageos, secretNeeds('name', 'namespace')),
  local: localVolume,
  csi: volumeCsi,
};

/** Names of sources in upstream's paths where they differ from the fields' names. */
const CHECKED_AS: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const REFUSED_AS: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Checks the first source in `order` and refuses the others, but for `tolerated`, which upstream does not refuse. */
export function validateOneSource(
  volume: object,
  order: readonly string[],
  path: Path,
  check: (name: string, at: Path) => void,
  errors: FieldError[],
  tolerated?: string,
): void {
  let found = false;
  for (const name of order) {
    if ((volume as Source)[name] === undefined) continue;
    if (found && name !== tolerated)
      errors.push(forbiddenField(path.child(REFUSED_AS[name] ?? name), 'may not specify more than 1 volume type'));
    else check(name, path.child(CHECKED_AS[name] ?? name));
    found = true;
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
}
