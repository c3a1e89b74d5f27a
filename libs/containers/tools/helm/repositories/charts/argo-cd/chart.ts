import type { BundledChart } from '../bundled.js';
import { COMPONENTS, head, IMAGE, nameOf, objectsOf, selector } from './components.js';

/** ConfigMaps by their names, with the values that they are filled from. */
const CONFIG: Readonly<Record<string, string>> = {
  ...{ 'argocd-cm': 'cm', 'argocd-cmd-params-cm': 'params', 'argocd-rbac-cm': 'rbac', 'argocd-gpg-keys-cm': 'gpg' },
  ...{ 'argocd-notifications-cm': '', 'argocd-ssh-known-hosts-cm': 'ssh', 'argocd-tls-certs-cm': 'tls' },
};
const configOf = ([name, values]: readonly [string, string]): string => `${head('v1', 'ConfigMap', name, 'server')}data:
  {{- with index .Values.configs "${values}" }}
  {{- range $key, $value := . }}
  {{ $key }}: {{ $value | toString | quote }}
  {{- end }}
  {{- else }} {}
  {{- end }}
`;

const SECRETS = `${head('v1', 'Secret', 'argocd-secret', 'server')}type: Opaque
---
${head('v1', 'Secret', 'argocd-notifications-secret', 'notifications-controller')}type: Opaque
`;

const KINDS = [
  [
    'applications',
    'Application',
    'app',
    '.status.sync.status',
    'Sync Status',
    '.status.health.status',
    'Health Status',
  ],
  ['applicationsets', 'ApplicationSet', 'appset'],
  ['appprojects', 'AppProject', 'appproj'],
] as const;

const definitionOf = ([
  plural,
  kind,
  short,
  ...columns
]: (typeof KINDS)[number]): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.argoproj.io
  {{- if .Values.crds.keep }}
  annotations:
    helm.sh/resource-policy: keep
  {{- end }}
  labels:
    app.kubernetes.io/name: ${plural}.argoproj.io
    app.kubernetes.io/part-of: argocd
spec:
  group: argoproj.io
  names:
    kind: ${kind}
    listKind: ${kind}List
    plural: ${plural}
    shortNames: ["${short}"${kind === 'AppProject' ? ', "appprojs"' : `, "${short}s"`}]
    singular: ${kind.toLowerCase()}
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
${
  columns.length === 0
    ? ''
    : `      additionalPrinterColumns:
        - { name: ${columns[1]}, type: string, jsonPath: ${columns[0]} }
        - { name: ${columns[3]}, type: string, jsonPath: ${columns[2]} }
`
}      schema:
        openAPIV3Schema:
          type: object
          required: ["metadata", "spec"]
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec: { type: object, x-kubernetes-preserve-unknown-fields: true }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

const HOOK = `  annotations:
    "helm.sh/hook": pre-install,pre-upgrade
    "helm.sh/hook-delete-policy": before-hook-creation
`;
const INIT = nameOf('redis-secret-init');
const init = (api: string, kind: string): string => `${head(api, kind, INIT, 'redis-secret-init')}${HOOK}`;

const REDIS = `${head('apps/v1', 'Deployment', nameOf('redis'), 'redis')}spec:
  replicas: 1
  selector:
    matchLabels:
${selector('redis', 6)}  template:
    metadata:
      labels:
${selector('redis', 8)}    spec:
      containers:
        - name: redis
          image: {{ .Values.redis.image.repository }}:{{ .Values.redis.image.tag }}
          args: ["--save", "", "--appendonly", "no", "--requirepass $(REDIS_PASSWORD)"]
          env:
            - name: REDIS_PASSWORD
              valueFrom: { secretKeyRef: { name: argocd-redis, key: auth } }
          ports:
            - { name: redis, containerPort: 6379, protocol: TCP }
---
${head('v1', 'Service', nameOf('redis'), 'redis')}spec:
  type: ClusterIP
  ports:
    - { name: tcp-redis, port: 6379, targetPort: redis }
  selector:
${selector('redis', 4)}---
${init('v1', 'ServiceAccount')}---
${init('rbac.authorization.k8s.io/v1', 'Role')}rules:
  - apiGroups: [""]
    resources: ["secrets"]
    verbs: ["get", "create"]
---
${init('rbac.authorization.k8s.io/v1', 'RoleBinding')}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${INIT}
subjects:
  - kind: ServiceAccount
    name: ${INIT}
    namespace: {{ .Release.Namespace }}
---
${init('batch/v1', 'Job')}spec:
  ttlSecondsAfterFinished: 60
  template:
    spec:
      serviceAccountName: ${INIT}
      restartPolicy: OnFailure
      containers:
        - name: secret-init
          image: ${IMAGE}
          command: ["argocd"]
          args: ["admin", "redis-initial-password"]
`;

const component = (values: string): string => `${values}:
  replicas: 1
  resources: {}
  serviceAccount:
    name: ""
`;

/** argo/argo-cd, without Dex and the values that few change. Its definitions take whatever is in `spec`. */
export const ARGO_CD: BundledChart = {
  name: 'argo-cd',
  description: 'A Helm chart for Argo CD, a declarative, GitOps continuous delivery tool for Kubernetes.',
  home: 'https://github.com/argoproj/argo-helm',
  keywords: ['argoproj', 'argocd', 'gitops'],
  versions: [
    ['9.1.6', 'v3.2.1'],
    ['8.6.4', 'v3.1.8'],
    ['8.0.0', 'v3.0.0'],
    ['7.9.1', 'v2.14.11'],
    ['7.7.3', 'v2.13.0'],
    ['7.6.8', 'v2.12.4'],
    ['7.3.0', 'v2.11.3'],
    ['6.7.3', 'v2.10.3'],
    ['5.51.6', 'v2.9.3'],
  ],
  values: `# Values of the chart argo-cd.
nameOverride: argocd
fullnameOverride: ""

crds:
  # Whether the definitions are installed, and whether they stay when the release goes.
  install: true
  keep: true

global:
  domain: argocd.example.com
  revisionHistoryLimit: 3
  image:
    repository: quay.io/argoproj/argocd
    # The chart's appVersion, unless a tag is given.
    tag: ""
    imagePullPolicy: IfNotPresent

configs:
  cm:
    application.instanceLabelKey: argocd.argoproj.io/instance
    exec.enabled: false
    timeout.reconciliation: 180s
  params:
    server.insecure: false
    application.namespaces: ""
  rbac:
    policy.default: ""
    scopes: "[groups]"

redis:
  image:
    repository: ecr-public.aws.com/docker/library/redis
    tag: 8.2.2-alpine

${COMPONENTS.map(({ values }) => component(values) + (values === 'server' ? '  service:\n    type: ClusterIP\n' : '')).join('\n')}`,
  templates: {
    ...Object.fromEntries(COMPONENTS.map((one) => [`argocd-${one.name}/objects.yaml`, objectsOf(one)])),
    ...Object.fromEntries(
      KINDS.map((kind) => [
        `crds/crd-${kind[1].toLowerCase()}.yaml`,
        `{{- if .Values.crds.install }}\n${definitionOf(kind)}{{- end }}\n`,
      ]),
    ),
    'argocd-configs/configmaps.yaml': Object.entries(CONFIG).map(configOf).join('---\n'),
    'argocd-configs/secrets.yaml': SECRETS,
    'redis/objects.yaml': REDIS,
    'clusterrole.yaml': `${head('rbac.authorization.k8s.io/v1', 'ClusterRole', nameOf('application-controller'), 'application-controller', false)}rules:
  - apiGroups: ["*"]
    resources: ["*"]
    verbs: ["*"]
  - nonResourceURLs: ["*"]
    verbs: ["*"]
---
${head('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', nameOf('application-controller'), 'application-controller', false)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ${nameOf('application-controller')}
subjects:
  - kind: ServiceAccount
    name: argocd-application-controller
    namespace: {{ .Release.Namespace }}
`,
    'NOTES.txt': `In order to access the server UI you have the following options:

1. kubectl port-forward service/${nameOf('server')} -n {{ .Release.Namespace }} 8080:443

    and then open the browser on http://localhost:8080 and accept the certificate

2. enable ingress in the values file \`server.ingress.enabled\` and either
      - Add the annotation for ssl passthrough
      - Set the \`configs.params."server.insecure"\` in the values file and terminate SSL at your ingress

After reaching the UI the first time you can login with username: admin and the random password generated during the installation. You can find the password by running:

kubectl -n {{ .Release.Namespace }} get secret argocd-initial-admin-secret -o jsonpath="{.data.password}" | base64 -d

(You should delete the initial secret afterwards as suggested by the Getting Started Guide: https://argo-cd.readthedocs.io/en/stable/getting_started/#4-login-using-the-cli)
`,
  },
};
