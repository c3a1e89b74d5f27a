/** Templates of `helm create`; NAME stands for the chart's name. They render to the manifests of helm's own. */
const head = (api: string, kind: string): string => `apiVersion: ${api}
kind: ${kind}
metadata:
  name: {{ include "NAME.fullname" . }}
  labels:
    {{- include "NAME.labels" . | nindent 4 }}
`;

const optional = (field: string, indent: number, from = field): string => {
  const pad = ' '.repeat(indent);
  return `${pad}{{- with .Values.${from} }}
${pad}${field}:
${pad}  {{- toYaml . | nindent ${indent + 2} }}
${pad}{{- end }}
`;
};

export const DEPLOYMENT = `${head('apps/v1', 'Deployment')}spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "NAME.selectorLabels" . | nindent 6 }}
  template:
    metadata:
${optional('annotations', 6, 'podAnnotations')}      labels:
        {{- include "NAME.labels" . | nindent 8 }}
        {{- with .Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
${optional('imagePullSecrets', 6)}      serviceAccountName: {{ include "NAME.serviceAccountName" . }}
${optional('securityContext', 6, 'podSecurityContext')}      containers:
        - name: {{ .Chart.Name }}
${optional('securityContext', 10)}          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          ports:
            - name: http
              containerPort: {{ .Values.service.port }}
              protocol: TCP
${['livenessProbe', 'readinessProbe', 'resources', 'volumeMounts'].map((field) => optional(field, 10)).join('')}${['volumes', 'nodeSelector', 'affinity', 'tolerations'].map((field) => optional(field, 6)).join('')}`;

export const SERVICE = `${head('v1', 'Service')}spec:
  type: {{ .Values.service.type }}
  ports:
    - port: {{ .Values.service.port }}
      targetPort: http
      protocol: TCP
      name: http
  selector:
    {{- include "NAME.selectorLabels" . | nindent 4 }}
`;

export const SERVICE_ACCOUNT = `{{- if .Values.serviceAccount.create -}}
${head('v1', 'ServiceAccount').replace('NAME.fullname', 'NAME.serviceAccountName')}${optional('annotations', 2, 'serviceAccount.annotations')}automountServiceAccountToken: {{ .Values.serviceAccount.automount }}
{{- end }}
`;

export const INGRESS = `{{- if .Values.ingress.enabled -}}
{{- $name := include "NAME.fullname" . -}}
{{- $port := .Values.service.port -}}
${head('networking.k8s.io/v1', 'Ingress')}${optional('annotations', 2, 'ingress.annotations')}spec:
  {{- with .Values.ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .Values.ingress.tls }}
  tls:
    {{- range . }}
    - hosts:
        {{- range .hosts }}
        - {{ . | quote }}
        {{- end }}
      secretName: {{ .secretName }}
    {{- end }}
  {{- end }}
  rules:
    {{- range .Values.ingress.hosts }}
    - host: {{ .host | quote }}
      http:
        paths:
          {{- range .paths }}
          - path: {{ .path }}
            {{- with .pathType }}
            pathType: {{ . }}
            {{- end }}
            backend:
              service:
                name: {{ $name }}
                port:
                  number: {{ $port }}
          {{- end }}
    {{- end }}
{{- end }}
`;

const metric = (value: string, resource: string): string => `    {{- with .Values.autoscaling.${value} }}
    - type: Resource
      resource:
        name: ${resource}
        target:
          type: Utilization
          averageUtilization: {{ . }}
    {{- end }}
`;

export const AUTOSCALER = `{{- if .Values.autoscaling.enabled }}
${head('autoscaling/v2', 'HorizontalPodAutoscaler')}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "NAME.fullname" . }}
  minReplicas: {{ .Values.autoscaling.minReplicas }}
  maxReplicas: {{ .Values.autoscaling.maxReplicas }}
  metrics:
${metric('targetCPUUtilizationPercentage', 'cpu')}${metric('targetMemoryUtilizationPercentage', 'memory')}{{- end }}
`;

export const TEST = `apiVersion: v1
kind: Pod
metadata:
  name: "{{ include "NAME.fullname" . }}-test-connection"
  labels:
    {{- include "NAME.labels" . | nindent 4 }}
  annotations:
    "helm.sh/hook": test
spec:
  containers:
    - name: wget
      image: busybox
      command: ['wget']
      args: ['{{ include "NAME.fullname" . }}:{{ .Values.service.port }}']
  restartPolicy: Never
`;
