/** Files of `helm create` that are no templates; NAME stands for the chart's name. */
export const CHART = `apiVersion: v2
name: NAME
description: A Helm chart for Kubernetes

# 'application': a chart that is installed. 'library': named templates for other charts, which cannot be installed
# by itself.
type: application

# The version of the chart: it is to grow with each change of the chart or its templates (https://semver.org/).
version: 0.1.0

# The version of what the chart installs. It is best quoted.
appVersion: "1.16.0"
`;

export const VALUES = `# Default values for NAME.

# How many pods there are.
replicaCount: 1

# The image of the container.
image:
  repository: nginx
  # When the image is pulled.
  pullPolicy: IfNotPresent
  # The chart's appVersion, unless a tag is given.
  tag: ""

# Secrets for a private registry.
imagePullSecrets: []
# Replace the chart's name, and the whole name of its objects.
nameOverride: ""
fullnameOverride: ""

serviceAccount:
  # Whether the chart makes a service account.
  create: true
  # Whether pods get its token.
  automount: true
  annotations: {}
  # The account's name; by default the objects' name.
  name: ""

podAnnotations: {}
podLabels: {}

podSecurityContext: {}
  # fsGroup: 2000

securityContext: {}
  # capabilities:
  #   drop:
  #   - ALL
  # readOnlyRootFilesystem: true
  # runAsNonRoot: true
  # runAsUser: 1000

service:
  type: ClusterIP
  port: 80

ingress:
  enabled: false
  className: ""
  annotations: {}
    # kubernetes.io/ingress.class: nginx
    # kubernetes.io/tls-acme: "true"
  hosts:
    - host: chart-example.local
      paths:
        - path: /
          pathType: ImplementationSpecific
  tls: []
  #  - secretName: chart-example-tls
  #    hosts:
  #      - chart-example.local

# Nothing is asked for by default, so that the chart also runs on small clusters.
resources: {}
  # limits:
  #   cpu: 100m
  #   memory: 128Mi
  # requests:
  #   cpu: 100m
  #   memory: 128Mi

livenessProbe:
  httpGet:
    path: /
    port: http
readinessProbe:
  httpGet:
    path: /
    port: http

autoscaling:
  enabled: false
  minReplicas: 1
  maxReplicas: 100
  targetCPUUtilizationPercentage: 80
  # targetMemoryUtilizationPercentage: 80

# More volumes of the pods.
volumes: []
# - name: foo
#   secret:
#     secretName: mysecret
#     optional: false

# Where the container has them.
volumeMounts: []
# - name: foo
#   mountPath: "/etc/foo"
#   readOnly: true

nodeSelector: {}

tolerations: []

affinity: {}
`;

export const IGNORE = `# What is left out of a package: one pattern a line, with * and ?, and ! for what is to stay.
.DS_Store
.git/
.gitignore
.bzr/
.bzrignore
.hg/
.hgignore
.svn/
*.swp
*.bak
*.tmp
*.orig
*~
.project
.idea/
*.tmproj
.vscode/
`;

export const NOTES = `1. Get the application URL by running these commands:
{{- $name := include "NAME.fullname" . }}
{{- $space := .Release.Namespace }}
{{- $type := .Values.service.type }}
{{- if .Values.ingress.enabled }}
{{- range $host := .Values.ingress.hosts }}
  {{- range .paths }}
  http{{ if $.Values.ingress.tls }}s{{ end }}://{{ $host.host }}{{ .path }}
  {{- end }}
{{- end }}
{{- else if contains "NodePort" $type }}
  export NODE_PORT=$(kubectl get --namespace {{ $space }} -o jsonpath="{.spec.ports[0].nodePort}" services {{ $name }})
  export NODE_IP=$(kubectl get nodes --namespace {{ $space }} -o jsonpath="{.items[0].status.addresses[0].address}")
  echo http://$NODE_IP:$NODE_PORT
{{- else if contains "LoadBalancer" $type }}
     NOTE: It may take a few minutes for the LoadBalancer IP to be available.
           You can watch its status by running 'kubectl get --namespace {{ $space }} svc -w {{ $name }}'
  export SERVICE_IP=$(kubectl get svc --namespace {{ $space }} {{ $name }} --template "{{"{{ range (index .status.loadBalancer.ingress 0) }}{{.}}{{ end }}"}}")
  echo http://$SERVICE_IP:{{ .Values.service.port }}
{{- else if contains "ClusterIP" $type }}
  export POD_NAME=$(kubectl get pods --namespace {{ $space }} -l "app.kubernetes.io/name={{ include "NAME.name" . }},app.kubernetes.io/instance={{ .Release.Name }}" -o jsonpath="{.items[0].metadata.name}")
  export CONTAINER_PORT=$(kubectl get pod --namespace {{ $space }} $POD_NAME -o jsonpath="{.spec.containers[0].ports[0].containerPort}")
  echo "Visit http://127.0.0.1:8080 to use your application"
  kubectl --namespace {{ $space }} port-forward $POD_NAME 8080:$CONTAINER_PORT
{{- end }}
`;
