import type { BundledChart } from './bundled.js';

const meta = (name: string, isNamespaced: boolean): string => `metadata:
  name: ${name}
${isNamespaced ? '  namespace: {{ .Release.Namespace }}\n' : ''}  labels:
    {{- include "metrics-server.labels" . | nindent 4 }}
`;
const OWN = '{{ include "metrics-server.fullname" . }}';
const ACCOUNT = '{{ .Values.serviceAccount.name | default (include "metrics-server.fullname" .) }}';

const binding = (
  kind: string,
  name: string,
  role: string,
  roleKind: string,
  namespace: string,
): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata:
  name: ${name}
${namespace === '' ? '' : `  namespace: ${namespace}\n`}  labels:
    {{- include "metrics-server.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${roleKind}
  name: ${role}
subjects:
  - kind: ServiceAccount
    name: ${ACCOUNT}
    namespace: {{ .Release.Namespace }}
`;

/** metrics-server/metrics-server. */
export const METRICS_SERVER: BundledChart = {
  name: 'metrics-server',
  description:
    'Metrics Server is a scalable, efficient source of container resource metrics for Kubernetes built-in autoscaling pipelines.',
  home: 'https://github.com/kubernetes-sigs/metrics-server',
  keywords: ['kubernetes', 'metrics-server', 'metrics'],
  versions: [
    ['3.13.0', '0.8.0'],
    ['3.12.2', '0.7.2'],
  ],
  values: `# Values of the chart metrics-server.
image:
  repository: registry.k8s.io/metrics-server/metrics-server
  # v and the chart's appVersion, unless a tag is given.
  tag: ""
  pullPolicy: IfNotPresent

imagePullSecrets: []
nameOverride: ""
fullnameOverride: ""

serviceAccount:
  create: true
  annotations: {}
  name: ""

rbac:
  create: true

apiService:
  create: true
  insecureSkipTLSVerify: true

replicas: 1
podLabels: {}
podAnnotations: {}
priorityClassName: system-cluster-critical
containerPort: 10250
hostNetwork:
  enabled: false

args: []
defaultArgs:
  - --cert-dir=/tmp
  - --kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname
  - --kubelet-use-node-status-port
  - --metric-resolution=15s

livenessProbe:
  httpGet:
    path: /livez
    port: https
    scheme: HTTPS
  initialDelaySeconds: 0
  periodSeconds: 10
  failureThreshold: 3
readinessProbe:
  httpGet:
    path: /readyz
    port: https
    scheme: HTTPS
  initialDelaySeconds: 20
  periodSeconds: 10
  failureThreshold: 3

service:
  type: ClusterIP
  port: 443
  annotations: {}
  labels: {}

resources:
  requests:
    cpu: 100m
    memory: 200Mi

nodeSelector: {}
tolerations: []
affinity: {}
`,
  templates: {
    'serviceaccount.yaml': `{{- if .Values.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
${meta(ACCOUNT, true)}{{- end }}
`,
    'clusterrole.yaml': `{{- if .Values.rbac.create }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
${meta('{{ printf "system:%s" (include "metrics-server.fullname" .) }}', false)}rules:
  - apiGroups: [""]
    resources: ["nodes/metrics"]
    verbs: ["get"]
  - apiGroups: [""]
    resources: ["pods", "nodes", "namespaces", "configmaps"]
    verbs: ["get", "list", "watch"]
{{- end }}
`,
    'clusterrole-aggregated-reader.yaml': `{{- if .Values.rbac.create }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ printf "system:%s-aggregated-reader" (include "metrics-server.name" .) }}
  labels:
    {{- include "metrics-server.labels" . | nindent 4 }}
    rbac.authorization.k8s.io/aggregate-to-admin: "true"
    rbac.authorization.k8s.io/aggregate-to-edit: "true"
    rbac.authorization.k8s.io/aggregate-to-view: "true"
rules:
  - apiGroups: ["metrics.k8s.io"]
    resources: ["pods", "nodes"]
    verbs: ["get", "list", "watch"]
{{- end }}
`,
    'bindings.yaml': `{{- if .Values.rbac.create }}
${binding('ClusterRoleBinding', '{{ printf "system:%s" (include "metrics-server.fullname" .) }}', '{{ printf "system:%s" (include "metrics-server.fullname" .) }}', 'ClusterRole', '')}---
${binding('ClusterRoleBinding', '{{ printf "%s:system:auth-delegator" (include "metrics-server.fullname" .) }}', 'system:auth-delegator', 'ClusterRole', '')}---
${binding('RoleBinding', '{{ printf "%s-auth-reader" (include "metrics-server.fullname" .) }}', 'extension-apiserver-authentication-reader', 'Role', 'kube-system')}{{- end }}
`,
    'service.yaml': `apiVersion: v1
kind: Service
${meta(OWN, true)}spec:
  type: {{ .Values.service.type }}
  ports:
    - name: https
      port: {{ .Values.service.port }}
      protocol: TCP
      targetPort: https
      appProtocol: https
  selector:
    {{- include "metrics-server.selectorLabels" . | nindent 4 }}
`,
    'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
${meta(OWN, true)}spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      {{- include "metrics-server.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "metrics-server.selectorLabels" . | nindent 8 }}
        {{- with .Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: ${ACCOUNT}
      priorityClassName: {{ .Values.priorityClassName | quote }}
      {{- if .Values.hostNetwork.enabled }}
      hostNetwork: true
      {{- end }}
      containers:
        - name: metrics-server
          image: {{ printf "%s:%s" .Values.image.repository (default (printf "v%s" .Chart.AppVersion) .Values.image.tag) }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          args:
            - {{ printf "--secure-port=%d" (int .Values.containerPort) }}
            {{- range concat .Values.defaultArgs .Values.args }}
            - {{ . }}
            {{- end }}
          ports:
            - name: https
              protocol: TCP
              containerPort: {{ .Values.containerPort }}
          livenessProbe:
            {{- toYaml .Values.livenessProbe | nindent 12 }}
          readinessProbe:
            {{- toYaml .Values.readinessProbe | nindent 12 }}
          {{- with .Values.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            runAsNonRoot: true
            runAsUser: 1000
          volumeMounts:
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: tmp
          emptyDir: {}
      {{- range $field := list "nodeSelector" "tolerations" "affinity" }}
      {{- with get $.Values $field }}
      {{ $field }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
`,
    'apiservice.yaml': `{{- if .Values.apiService.create }}
apiVersion: apiregistration.k8s.io/v1
kind: APIService
${meta('v1beta1.metrics.k8s.io', false)}spec:
  group: metrics.k8s.io
  groupPriorityMinimum: 100
  insecureSkipTLSVerify: {{ .Values.apiService.insecureSkipTLSVerify }}
  service:
    name: ${OWN}
    namespace: {{ .Release.Namespace }}
    port: {{ .Values.service.port }}
  version: v1beta1
  versionPriority: 100
{{- end }}
`,
    'NOTES.txt': `***********************************************************************
* Metrics Server                                                      *
***********************************************************************
  Chart version: {{ .Chart.Version }}
  App version:   {{ .Chart.AppVersion }}
  Image tag:     {{ printf "%s:%s" .Values.image.repository (default (printf "v%s" .Chart.AppVersion) .Values.image.tag) }}
***********************************************************************
`,
  },
};
