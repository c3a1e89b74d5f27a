import type { BundledChart } from './bundled.js';

/** A web server as Bitnami charts it: all its charts have the same objects and values. */
export interface WebChart extends Pick<BundledChart, 'name' | 'description' | 'keywords' | 'versions'> {
  /** As the notes write it. */
  readonly product: string;
  /** Variables of the container by their names: values of the chart. */
  readonly env: Readonly<Record<string, string>>;
}

const headOf = (chart: string, api: string, kind: string): string => `apiVersion: ${api}
kind: ${kind}
metadata:
  name: {{ include "${chart}.fullname" . }}
  namespace: {{ .Release.Namespace | quote }}
  labels:
    {{- include "${chart}.labels" . | nindent 4 }}
`;

const variablesOf = (env: WebChart['env']): string =>
  Object.entries(env)
    .map(([name, value]) => `            - name: ${name}\n              value: {{ .Values.${value} | quote }}\n`)
    .join('');

const valuesOf = (name: string): string => `# Values of the chart ${name}.
nameOverride: ""
fullnameOverride: ""
commonLabels: {}
commonAnnotations: {}

image:
  registry: docker.io
  repository: bitnami/${name}
  # The chart's appVersion, unless a tag is given.
  tag: ""
  pullPolicy: IfNotPresent
  pullSecrets: []

replicaCount: 1
revisionHistoryLimit: 10
podAnnotations: {}
podLabels: {}
nodeSelector: {}
tolerations: []
affinity: {}
extraEnvVars: []
extraVolumes: []
extraVolumeMounts: []

containerPorts:
  http: 8080
  https: 8443

resources: {}

podSecurityContext:
  enabled: true
  fsGroup: 1001
containerSecurityContext:
  enabled: true
  runAsUser: 1001
  runAsNonRoot: true
  allowPrivilegeEscalation: false

livenessProbe:
  enabled: true
  initialDelaySeconds: 30
  periodSeconds: 10
readinessProbe:
  enabled: true
  initialDelaySeconds: 5
  periodSeconds: 5

serviceAccount:
  create: true
  name: ""
  annotations: {}
  automountServiceAccountToken: false

service:
  type: LoadBalancer
  ports:
    http: 80
    https: 443
  nodePorts:
    http: ""
    https: ""
  annotations: {}
  externalTrafficPolicy: Cluster

ingress:
  enabled: false
  hostname: ${name}.local
  path: /
  pathType: ImplementationSpecific
  ingressClassName: ""
  annotations: {}
  tls: false

autoscaling:
  enabled: false
  minReplicas: ""
  maxReplicas: ""
  targetCPU: ""

pdb:
  create: true
  minAvailable: ""
  maxUnavailable: ""
`;

export function webChart({ product, env, ...chart }: WebChart): BundledChart {
  const { name } = chart;
  const head = (api: string, kind: string): string => headOf(name, api, kind);
  return {
    ...chart,
    home: 'https://bitnami.com',
    values: valuesOf(name),
    templates: templatesOf(name, product, variablesOf(env), head),
  };
}

function templatesOf(
  name: string,
  product: string,
  variables: string,
  head: (api: string, kind: string) => string,
): Readonly<Record<string, string>> {
  return {
    'deployment.yaml': `${head('apps/v1', 'Deployment')}spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
  revisionHistoryLimit: {{ .Values.revisionHistoryLimit }}
  selector:
    matchLabels:
      {{- include "${name}.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      {{- with .Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      labels:
        {{- include "${name}.labels" . | nindent 8 }}
        {{- with .Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- with .Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      automountServiceAccountToken: {{ .Values.serviceAccount.automountServiceAccountToken }}
      serviceAccountName: {{ .Values.serviceAccount.name | default (ternary (include "${name}.fullname" .) "default" .Values.serviceAccount.create) }}
      {{- if .Values.podSecurityContext.enabled }}
      securityContext:
        {{- omit .Values.podSecurityContext "enabled" | toYaml | nindent 8 }}
      {{- end }}
      containers:
        - name: ${name}
          image: {{ printf "%s/%s:%s" .Values.image.registry .Values.image.repository (.Values.image.tag | default .Chart.AppVersion | toString) }}
          imagePullPolicy: {{ .Values.image.pullPolicy | quote }}
          {{- if .Values.containerSecurityContext.enabled }}
          securityContext:
            {{- omit .Values.containerSecurityContext "enabled" | toYaml | nindent 12 }}
          {{- end }}
          env:
${variables}            {{- with .Values.extraEnvVars }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: http
              containerPort: {{ .Values.containerPorts.http }}
          {{- if .Values.livenessProbe.enabled }}
          livenessProbe:
            {{- omit .Values.livenessProbe "enabled" | toYaml | nindent 12 }}
            tcpSocket:
              port: http
          {{- end }}
          {{- if .Values.readinessProbe.enabled }}
          readinessProbe:
            {{- omit .Values.readinessProbe "enabled" | toYaml | nindent 12 }}
            httpGet:
              path: /
              port: http
          {{- end }}
          {{- with .Values.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with .Values.extraVolumeMounts }}
          volumeMounts:
            {{- toYaml . | nindent 12 }}
          {{- end }}
      {{- with .Values.extraVolumes }}
      volumes:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- range $field := list "nodeSelector" "tolerations" "affinity" }}
      {{- with get $.Values $field }}
      {{ $field }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
`,
    'svc.yaml': `${head('v1', 'Service')}  {{- with .Values.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .Values.service.type }}
  {{- if has .Values.service.type (list "NodePort" "LoadBalancer") }}
  externalTrafficPolicy: {{ .Values.service.externalTrafficPolicy | quote }}
  {{- end }}
  ports:
    - name: http
      port: {{ .Values.service.ports.http }}
      targetPort: http
      {{- if and .Values.service.nodePorts.http (ne .Values.service.type "ClusterIP") }}
      nodePort: {{ .Values.service.nodePorts.http }}
      {{- end }}
  selector:
    {{- include "${name}.selectorLabels" . | nindent 4 }}
`,
    'serviceaccount.yaml': `{{- if .Values.serviceAccount.create }}
${head('v1', 'ServiceAccount')}  {{- with .Values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: {{ .Values.serviceAccount.automountServiceAccountToken }}
{{- end }}
`,
    'pdb.yaml': `{{- if .Values.pdb.create }}
${head('policy/v1', 'PodDisruptionBudget')}spec:
  {{- with .Values.pdb.minAvailable }}
  minAvailable: {{ . }}
  {{- end }}
  {{- if or .Values.pdb.maxUnavailable (not .Values.pdb.minAvailable) }}
  maxUnavailable: {{ .Values.pdb.maxUnavailable | default 1 }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "${name}.selectorLabels" . | nindent 6 }}
{{- end }}
`,
    'ingress.yaml': `{{- if .Values.ingress.enabled }}
${head('networking.k8s.io/v1', 'Ingress')}  {{- with .Values.ingress.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .Values.ingress.ingressClassName }}
  ingressClassName: {{ . | quote }}
  {{- end }}
  rules:
    - host: {{ .Values.ingress.hostname }}
      http:
        paths:
          - path: {{ .Values.ingress.path }}
            pathType: {{ .Values.ingress.pathType }}
            backend:
              service:
                name: {{ include "${name}.fullname" . }}
                port:
                  name: http
  {{- if .Values.ingress.tls }}
  tls:
    - hosts:
        - {{ .Values.ingress.hostname | quote }}
      secretName: {{ printf "%s-tls" .Values.ingress.hostname }}
  {{- end }}
{{- end }}
`,
    'hpa.yaml': `{{- if .Values.autoscaling.enabled }}
${head('autoscaling/v2', 'HorizontalPodAutoscaler')}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "${name}.fullname" . }}
  minReplicas: {{ .Values.autoscaling.minReplicas | default 1 }}
  maxReplicas: {{ .Values.autoscaling.maxReplicas | default 10 }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .Values.autoscaling.targetCPU | default 50 }}
{{- end }}
`,
    'NOTES.txt': `CHART NAME: {{ .Chart.Name }}
CHART VERSION: {{ .Chart.Version }}
APP VERSION: {{ .Chart.AppVersion }}

** Please be patient while the chart is being deployed **
${product} can be accessed through the following DNS name from within your cluster:

    {{ include "${name}.fullname" . }}.{{ .Release.Namespace }}.svc.cluster.local (port {{ .Values.service.ports.http }})

To access ${product} from outside the cluster, follow the steps below:
{{- if eq .Values.service.type "LoadBalancer" }}

1. Get the ${product} URL by running these commands:

  NOTE: It may take a few minutes for the LoadBalancer IP to be available.
        Watch the status with: 'kubectl get svc --namespace {{ .Release.Namespace }} -w {{ include "${name}.fullname" . }}'

    export SERVICE_PORT=$(kubectl get --namespace {{ .Release.Namespace }} -o jsonpath="{.spec.ports[0].port}" services {{ include "${name}.fullname" . }})
    export SERVICE_IP=$(kubectl get svc --namespace {{ .Release.Namespace }} {{ include "${name}.fullname" . }} -o jsonpath='{.status.loadBalancer.ingress[0].ip}')
    echo "http://\${SERVICE_IP}:\${SERVICE_PORT}"
{{- else if eq .Values.service.type "NodePort" }}

1. Get the ${product} URL by running these commands:

    export NODE_PORT=$(kubectl get --namespace {{ .Release.Namespace }} -o jsonpath="{.spec.ports[0].nodePort}" services {{ include "${name}.fullname" . }})
    export NODE_IP=$(kubectl get nodes --namespace {{ .Release.Namespace }} -o jsonpath="{.items[0].status.addresses[0].address}")
    echo "http://\${NODE_IP}:\${NODE_PORT}"
{{- else }}

1. Get the ${product} URL by running these commands:

    export SERVICE_PORT=$(kubectl get --namespace {{ .Release.Namespace }} -o jsonpath="{.spec.ports[0].port}" services {{ include "${name}.fullname" . }})
    kubectl port-forward --namespace {{ .Release.Namespace }} svc/{{ include "${name}.fullname" . }} \${SERVICE_PORT}:\${SERVICE_PORT} &
    echo "http://127.0.0.1:\${SERVICE_PORT}"
{{- end }}
`,
  };
}
