import type { FieldSpec } from './fields.js';

/** Fields that hold the name of a resource of a kind. */
export interface ReferenceSpec extends Pick<FieldSpec, 'group' | 'version' | 'kind'> {
  readonly fields: readonly FieldSpec[];
}

/** Where the specification of pods stands in a kind. */
const POD_SPECS: Readonly<Record<string, string>> = {
  Pod: 'spec',
  PodTemplate: 'template/spec',
  Deployment: 'spec/template/spec',
  ReplicaSet: 'spec/template/spec',
  DaemonSet: 'spec/template/spec',
  StatefulSet: 'spec/template/spec',
  Job: 'spec/template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
};
/** Those of accounts, claims and priorities name a ReplicationController instead of ReplicaSet and PodTemplate. */
const OTHER_SPECS: Readonly<Record<string, string>> = {
  Pod: 'spec',
  StatefulSet: 'spec/template/spec',
  Deployment: 'spec/template/spec',
  ReplicationController: 'spec/template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
  Job: 'spec/template/spec',
  DaemonSet: 'spec/template/spec',
};

const inPods = (specs: Readonly<Record<string, string>>, paths: readonly string[]): FieldSpec[] =>
  Object.entries(specs).flatMap(([kind, at]) => paths.map((path) => ({ path: `${at}/${path}`, kind })));

const ofContainers = (path: string): string[] => [`containers/${path}`, `initContainers/${path}`];
const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const NGINX = 'metadata/annotations/nginx.ingress.kubernetes.io\\/';
const SCALED = ['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'];

/** Models api/internal/konfig/builtinpluginconsts/namereference.go. */
export const REFERENCES: readonly ReferenceSpec[] = [
  ...SCALED.map((kind) => ({ kind, fields: [{ path: 'spec/scaleTargetRef/name', kind: 'HorizontalPodAutoscaler' }] })),
  {
    ...{ kind: 'ConfigMap', version: 'v1' },
    fields: [
      ...inPods(POD_SPECS, [
        'volumes/configMap/name',
        ...ofContainers('env/valueFrom/configMapKeyRef/name'),
        ...ofContainers('envFrom/configMapRef/name'),
        'volumes/projected/sources/configMap/name',
      ]),
      { path: 'spec/configSource/configMap', kind: 'Node' },
      { path: 'rules/resourceNames', kind: 'Role' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
      { path: `${NGINX}fastcgi-params-configmap`, kind: 'Ingress' },
    ],
  },
  {
    ...{ kind: 'Secret', version: 'v1' },
    fields: [
      ...inPods(POD_SPECS, [
        'volumes/secret/secretName',
        ...ofContainers('env/valueFrom/secretKeyRef/name'),
        ...ofContainers('envFrom/secretRef/name'),
        'imagePullSecrets/name',
        'volumes/projected/sources/secret/name',
      ]),
      { path: 'spec/tls/secretName', kind: 'Ingress' },
      { path: 'metadata/annotations/ingress.kubernetes.io\\/auth-secret', kind: 'Ingress' },
      { path: `${NGINX}auth-secret`, kind: 'Ingress' },
      { path: `${NGINX}auth-tls-secret`, kind: 'Ingress' },
      { path: 'imagePullSecrets/name', kind: 'ServiceAccount' },
      ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].map((name) => ({
        ...{ path: `parameters/${name}`, kind: 'StorageClass' },
      })),
      { path: 'rules/resourceNames', kind: 'Role' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
      { path: 'spec/azureFile/secretName', kind: 'PersistentVolume' },
    ],
  },
  {
    ...{ kind: 'Service', version: 'v1' },
    fields: [
      { path: 'spec/serviceName', kind: 'StatefulSet', group: 'apps' },
      { path: 'spec/rules/http/paths/backend/serviceName', kind: 'Ingress' },
      { path: 'spec/backend/serviceName', kind: 'Ingress' },
      { path: 'spec/rules/http/paths/backend/service/name', kind: 'Ingress' },
      { path: 'spec/defaultBackend/service/name', kind: 'Ingress' },
      { path: 'spec/service/name', kind: 'APIService', group: 'apiregistration.k8s.io' },
      { path: 'webhooks/clientConfig/service', kind: 'ValidatingWebhookConfiguration', group: ADMISSION },
      { path: 'webhooks/clientConfig/service', kind: 'MutatingWebhookConfiguration', group: ADMISSION },
    ],
  },
  { kind: 'Role', group: RBAC, fields: [{ path: 'roleRef/name', kind: 'RoleBinding', group: RBAC }] },
  {
    ...{ kind: 'ClusterRole', group: RBAC },
    fields: ['RoleBinding', 'ClusterRoleBinding'].map((kind) => ({ path: 'roleRef/name', kind, group: RBAC })),
  },
  {
    ...{ kind: 'ServiceAccount', version: 'v1' },
    fields: [
      ...['RoleBinding', 'ClusterRoleBinding'].map((kind) => ({ path: 'subjects', kind, group: RBAC })),
      ...inPods(OTHER_SPECS, ['serviceAccountName']),
    ],
  },
  {
    ...{ kind: 'PersistentVolumeClaim', version: 'v1' },
    fields: inPods(OTHER_SPECS, ['volumes/persistentVolumeClaim/claimName']),
  },
  {
    ...{ kind: 'PersistentVolume', version: 'v1' },
    fields: [
      { path: 'spec/volumeName', kind: 'PersistentVolumeClaim' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
    ],
  },
  {
    ...{ kind: 'StorageClass', version: 'v1', group: 'storage.k8s.io' },
    fields: [
      { path: 'spec/storageClassName', kind: 'PersistentVolume' },
      { path: 'spec/storageClassName', kind: 'PersistentVolumeClaim' },
      { path: 'spec/volumeClaimTemplates/spec/storageClassName', kind: 'StatefulSet' },
    ],
  },
  {
    ...{ kind: 'PriorityClass', version: 'v1', group: 'scheduling.k8s.io' },
    fields: inPods(OTHER_SPECS, ['priorityClassName']),
  },
  {
    ...{ kind: 'ValidatingAdmissionPolicy', group: ADMISSION },
    fields: [{ path: 'spec/policyName', kind: 'ValidatingAdmissionPolicyBinding', group: ADMISSION }],
  },
];
