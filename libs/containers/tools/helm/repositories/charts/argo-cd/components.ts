/** One of its programs, with the keys of its values. */
interface Component {
  /** In names of objects, and in the label `component`. */
  readonly name: string;
  readonly values: string;
  readonly kind?: 'StatefulSet';
  readonly command: string;
  readonly ports: Readonly<Record<string, number>>;
  /** Where probes look. */
  readonly health?: string;
  /** Another port of the Service for one of the container's. */
  readonly service?: Readonly<Record<string, readonly [port: number, target: string]>>;
}

export const COMPONENTS: readonly Component[] = [
  {
    ...{ name: 'application-controller', values: 'controller', kind: 'StatefulSet' },
    ...{ command: '/usr/local/bin/argocd-application-controller', ports: { metrics: 8082 }, health: 'metrics' },
    service: {},
  },
  {
    ...{ name: 'applicationset-controller', values: 'applicationSet' },
    ...{ command: '/usr/local/bin/argocd-applicationset-controller', ports: { webhook: 7000, metrics: 8080 } },
    service: { 'http-webhook': [7000, 'webhook'] },
  },
  {
    ...{ name: 'notifications-controller', values: 'notifications' },
    ...{ command: '/usr/local/bin/argocd-notifications', ports: { metrics: 9001 } },
    service: {},
  },
  {
    ...{ name: 'repo-server', values: 'repoServer', command: '/usr/local/bin/argocd-repo-server' },
    ...{ ports: { 'repo-server': 8081, metrics: 8084 }, health: 'metrics' },
    service: { 'tcp-repo-server': [8081, 'repo-server'] },
  },
  {
    ...{ name: 'server', values: 'server', command: '/usr/local/bin/argocd-server' },
    ...{ ports: { server: 8080, metrics: 8083 }, health: 'server' },
    service: { http: [80, 'server'], https: [443, 'server'] },
  },
];

const FULLNAME = '{{ include "argo-cd.fullname" . }}';
export const nameOf = (component: string): string => `${FULLNAME}-${component}`;

const labels = (component: string, name: string): string => `    helm.sh/chart: {{ include "argo-cd.chart" . }}
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/instance: {{ .Release.Name }}
    app.kubernetes.io/component: ${component}
    app.kubernetes.io/managed-by: {{ .Release.Service }}
    app.kubernetes.io/part-of: argocd
    app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
`;

export const head = (api: string, kind: string, name: string, component: string, isNamespaced = true): string =>
  `apiVersion: ${api}
kind: ${kind}
metadata:
  name: ${name}
${isNamespaced ? '  namespace: {{ .Release.Namespace | quote }}\n' : ''}  labels:
${labels(component, `{{ include "argo-cd.name" . }}-${component}`)}`;

export const selector = (component: string, indent: number): string =>
  [
    `app.kubernetes.io/name: {{ include "argo-cd.name" . }}-${component}`,
    'app.kubernetes.io/instance: {{ .Release.Name }}',
  ]
    .map((line) => `${' '.repeat(indent)}${line}\n`)
    .join('');

const account = ({ name, values }: Pick<Component, 'name' | 'values'>): string =>
  `{{ .Values.${values}.serviceAccount.name | default "argocd-${name}" }}`;

export const IMAGE = '{{ .Values.global.image.repository }}:{{ .Values.global.image.tag | default .Chart.AppVersion }}';

const probe = (type: string, port: string): string => `          ${type}:
            httpGet:
              path: /healthz
              port: ${port}
            initialDelaySeconds: 10
            periodSeconds: 10
`;

function workload({ name, values, kind, command, ports, health }: Component): string {
  const listed = Object.entries(ports).map(
    ([port, number]) => `            - name: ${port}
              containerPort: ${number}
              protocol: TCP
`,
  );
  return `${head('apps/v1', kind ?? 'Deployment', nameOf(name), name)}spec:
  replicas: {{ .Values.${values}.replicas }}
  revisionHistoryLimit: {{ .Values.global.revisionHistoryLimit }}
${kind === 'StatefulSet' ? `  serviceName: ${nameOf(name)}\n` : ''}  selector:
    matchLabels:
${selector(name, 6)}  template:
    metadata:
      labels:
${labels(name, `{{ include "argo-cd.name" . }}-${name}`).replaceAll(/^/gm, '    ').trimEnd()}
    spec:
      serviceAccountName: ${account({ name, values })}
      containers:
        - name: ${name}
          image: ${IMAGE}
          imagePullPolicy: {{ .Values.global.image.imagePullPolicy }}
          args:
            - ${command}
          ports:
${listed.join('')}${health === undefined ? '' : probe('livenessProbe', health) + probe('readinessProbe', health)}          {{- with .Values.${values}.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
      nodeSelector:
        kubernetes.io/os: linux
`;
}

function service({ name, service: ports = {} }: Component): string {
  const listed = Object.entries(ports);
  if (listed.length === 0) return '';
  const isServer = name === 'server';
  return `---
${head('v1', 'Service', nameOf(name), name)}spec:
  type: ${isServer ? '{{ .Values.server.service.type }}' : 'ClusterIP'}
  ports:
${listed
  .map(
    ([port, [number, target]]) => `    - name: ${port}
      protocol: TCP
      port: ${number}
      targetPort: ${target}
`,
  )
  .join('')}  selector:
${selector(name, 4)}`;
}

export const objectsOf = (component: Component): string => `${head(
  'v1',
  'ServiceAccount',
  account(component),
  component.name,
)}---
${head('rbac.authorization.k8s.io/v1', 'Role', nameOf(component.name), component.name)}rules:
  - apiGroups: ["", "apps", "coordination.k8s.io"]
    resources: ["secrets", "configmaps", "events", "deployments", "leases"]
    verbs: ["create", "get", "list", "watch", "update", "patch", "delete"]
  - apiGroups: ["argoproj.io"]
    resources: ["applications", "applicationsets", "appprojects"]
    verbs: ["create", "get", "list", "watch", "update", "patch", "delete"]
---
${head('rbac.authorization.k8s.io/v1', 'RoleBinding', nameOf(component.name), component.name)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${nameOf(component.name)}
subjects:
  - kind: ServiceAccount
    name: ${account(component)}
    namespace: {{ .Release.Namespace }}
${service(component)}---
${workload(component)}`;
