import type { BundledChart } from './bundled.js';

const LABELS = `    {{- include "ingress-nginx.labels" . | nindent 4 }}
    app.kubernetes.io/component: controller
`;
const NAME = '{{ include "ingress-nginx.controller" . }}';
const ACCOUNT = '{{ .Values.serviceAccount.name | default (include "ingress-nginx.fullname" .) }}';

const head = (api: string, kind: string, name: string, isNamespaced = true): string => `apiVersion: ${api}
kind: ${kind}
metadata:
  name: ${name}
${isNamespaced ? '  namespace: {{ .Release.Namespace }}\n' : ''}  labels:
${LABELS}`;

const subject = `subjects:
  - kind: ServiceAccount
    name: ${ACCOUNT}
    namespace: {{ .Release.Namespace }}
`;

const READS = `  - apiGroups: [""]
    resources: ["configmaps", "endpoints", "pods", "secrets", "services"]
    verbs: ["get", "list", "watch"]
  - apiGroups: ["networking.k8s.io"]
    resources: ["ingresses", "ingressclasses"]
    verbs: ["get", "list", "watch"]
  - apiGroups: ["networking.k8s.io"]
    resources: ["ingresses/status"]
    verbs: ["update"]
  - apiGroups: [""]
    resources: ["events"]
    verbs: ["create", "patch"]
  - apiGroups: ["coordination.k8s.io"]
    resources: ["leases"]
    verbs: ["get", "list", "watch", "create", "update"]
  - apiGroups: ["discovery.k8s.io"]
    resources: ["endpointslices"]
    verbs: ["get", "list", "watch"]
`;

/** ingress-nginx/ingress-nginx, without the admission webhook, which its own jobs would set up. */
export const INGRESS_NGINX: BundledChart = {
  name: 'ingress-nginx',
  description: 'Ingress controller for Kubernetes using NGINX as a reverse proxy and load balancer',
  home: 'https://github.com/kubernetes/ingress-nginx',
  keywords: ['ingress', 'nginx'],
  versions: [
    ['4.13.0', '1.13.0'],
    ['4.12.1', '1.12.1'],
  ],
  values: `# Values of the chart ingress-nginx.
nameOverride: ""
fullnameOverride: ""
commonLabels: {}

controller:
  name: controller
  # Deployment or DaemonSet
  kind: Deployment
  replicaCount: 1
  image:
    registry: registry.k8s.io
    image: ingress-nginx/controller
    # v and the chart's appVersion, unless a tag is given.
    tag: ""
    pullPolicy: IfNotPresent
  containerPort:
    http: 80
    https: 443
  # Keys of the controller's ConfigMap.
  config: {}
  hostNetwork: false
  hostPort:
    enabled: false
  electionID: ""
  ingressClass: nginx
  ingressClassResource:
    name: nginx
    enabled: true
    default: false
    controllerValue: k8s.io/ingress-nginx
  extraArgs: {}
  nodeSelector:
    kubernetes.io/os: linux
  tolerations: []
  affinity: {}
  resources:
    requests:
      cpu: 100m
      memory: 90Mi
  service:
    enabled: true
    type: LoadBalancer
    annotations: {}
    externalTrafficPolicy: ""
    ports:
      http: 80
      https: 443
    nodePorts:
      http: ""
      https: ""

rbac:
  create: true
serviceAccount:
  create: true
  name: ""
`,
  templates: {
    '_controller.tpl': `{{- define "ingress-nginx.controller" -}}
{{- printf "%s-%s" (include "ingress-nginx.fullname" .) .Values.controller.name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
`,
    'controller-serviceaccount.yaml': `{{- if .Values.serviceAccount.create }}
${head('v1', 'ServiceAccount', ACCOUNT)}automountServiceAccountToken: true
{{- end }}
`,
    'controller-configmap.yaml': `${head('v1', 'ConfigMap', NAME)}data:
  {{- with .Values.controller.config }}
  {{- range $key, $value := . }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
  {{- else }} {}
  {{- end }}
`,
    'clusterrole.yaml': `{{- if .Values.rbac.create }}
${head('rbac.authorization.k8s.io/v1', 'ClusterRole', '{{ include "ingress-nginx.fullname" . }}', false)}rules:
  - apiGroups: [""]
    resources: ["nodes", "namespaces"]
    verbs: ["get", "list", "watch"]
${READS}---
${head('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', '{{ include "ingress-nginx.fullname" . }}', false)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ include "ingress-nginx.fullname" . }}
${subject}{{- end }}
`,
    'controller-role.yaml': `{{- if .Values.rbac.create }}
${head('rbac.authorization.k8s.io/v1', 'Role', '{{ include "ingress-nginx.fullname" . }}')}rules:
${READS}---
${head('rbac.authorization.k8s.io/v1', 'RoleBinding', '{{ include "ingress-nginx.fullname" . }}')}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ include "ingress-nginx.fullname" . }}
${subject}{{- end }}
`,
    'controller-service.yaml': `{{- if .Values.controller.service.enabled }}
${head('v1', 'Service', NAME)}  {{- with .Values.controller.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .Values.controller.service.type }}
  {{- with .Values.controller.service.externalTrafficPolicy }}
  externalTrafficPolicy: {{ . }}
  {{- end }}
  ports:
    {{- range $name := list "http" "https" }}
    - name: {{ $name }}
      port: {{ get $.Values.controller.service.ports $name }}
      protocol: TCP
      targetPort: {{ $name }}
      appProtocol: {{ $name }}
      {{- with get $.Values.controller.service.nodePorts $name }}
      nodePort: {{ . }}
      {{- end }}
    {{- end }}
  selector:
    {{- include "ingress-nginx.selectorLabels" . | nindent 4 }}
    app.kubernetes.io/component: controller
{{- end }}
`,
    'controller-deployment.yaml': `${head('apps/v1', '{{ .Values.controller.kind }}', NAME)}spec:
  selector:
    matchLabels:
      {{- include "ingress-nginx.selectorLabels" . | nindent 6 }}
      app.kubernetes.io/component: controller
  {{- if eq .Values.controller.kind "Deployment" }}
  replicas: {{ .Values.controller.replicaCount }}
  {{- end }}
  template:
    metadata:
      labels:
        {{- include "ingress-nginx.labels" . | nindent 8 }}
        app.kubernetes.io/component: controller
    spec:
      {{- if .Values.controller.hostNetwork }}
      hostNetwork: true
      dnsPolicy: ClusterFirstWithHostNet
      {{- else }}
      dnsPolicy: ClusterFirst
      {{- end }}
      serviceAccountName: ${ACCOUNT}
      terminationGracePeriodSeconds: 300
      containers:
        - name: controller
          image: {{ printf "%s/%s:%s" .Values.controller.image.registry .Values.controller.image.image (default (printf "v%s" .Chart.AppVersion) .Values.controller.image.tag) }}
          imagePullPolicy: {{ .Values.controller.image.pullPolicy }}
          args:
            - /nginx-ingress-controller
            {{- if .Values.controller.service.enabled }}
            - --publish-service=$(POD_NAMESPACE)/${NAME}
            {{- end }}
            - --election-id={{ .Values.controller.electionID | default (printf "%s-leader" (include "ingress-nginx.fullname" .)) }}
            - --controller-class={{ .Values.controller.ingressClassResource.controllerValue }}
            - --ingress-class={{ .Values.controller.ingressClass }}
            - --configmap=$(POD_NAMESPACE)/${NAME}
            {{- range $key, $value := .Values.controller.extraArgs }}
            - --{{ $key }}{{ if $value }}={{ $value }}{{ end }}
            {{- end }}
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: POD_NAMESPACE
              valueFrom:
                fieldRef:
                  fieldPath: metadata.namespace
          livenessProbe:
            failureThreshold: 5
            httpGet:
              path: /healthz
              port: 10254
              scheme: HTTP
            initialDelaySeconds: 10
            periodSeconds: 10
          readinessProbe:
            failureThreshold: 3
            httpGet:
              path: /healthz
              port: 10254
              scheme: HTTP
            initialDelaySeconds: 10
            periodSeconds: 10
          ports:
            {{- range $name, $port := .Values.controller.containerPort }}
            - name: {{ $name }}
              containerPort: {{ $port }}
              protocol: TCP
              {{- if $.Values.controller.hostPort.enabled }}
              hostPort: {{ $port }}
              {{- end }}
            {{- end }}
          {{- with .Values.controller.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
      {{- range $field := list "nodeSelector" "tolerations" "affinity" }}
      {{- with get $.Values.controller $field }}
      {{ $field }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
`,
    'controller-ingressclass.yaml': `{{- if .Values.controller.ingressClassResource.enabled }}
${head('networking.k8s.io/v1', 'IngressClass', '{{ .Values.controller.ingressClassResource.name }}', false)}  {{- if .Values.controller.ingressClassResource.default }}
  annotations:
    ingressclass.kubernetes.io/is-default-class: "true"
  {{- end }}
spec:
  controller: {{ .Values.controller.ingressClassResource.controllerValue }}
{{- end }}
`,
    'NOTES.txt': `The ingress-nginx controller has been installed.
{{- if contains "NodePort" .Values.controller.service.type }}
Get the application URL by running these commands:
  export HTTP_NODE_PORT=$(kubectl get service --namespace {{ .Release.Namespace }} ${NAME} --output jsonpath="{.spec.ports[0].nodePort}")
  export NODE_IP="$(kubectl get nodes --output jsonpath="{.items[0].status.addresses[1].address}")"
  echo "Visit http://\${NODE_IP}:\${HTTP_NODE_PORT} to access your application via HTTP."
{{- else if contains "LoadBalancer" .Values.controller.service.type }}
It may take a few minutes for the load balancer IP to be available.
You can watch the status by running 'kubectl get service --namespace {{ .Release.Namespace }} ${NAME} --output wide --watch'
{{- end }}

An example Ingress that makes use of the controller:
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata:
    name: example
    namespace: foo
  spec:
    ingressClassName: {{ .Values.controller.ingressClassResource.name }}
    rules:
      - host: www.example.com
        http:
          paths:
            - pathType: Prefix
              backend:
                service:
                  name: exampleService
                  port:
                    number: 80
              path: /
`,
  },
};
