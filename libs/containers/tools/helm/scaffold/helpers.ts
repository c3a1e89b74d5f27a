/** The named templates that charts have: CHART.name, .fullname, .chart, .labels, .selectorLabels. */
export const helpersOf = (chart: string): string => `{{/*
The chart's name, or what replaces it.
*/}}
{{- define "${chart}.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
The name that the objects of a release have: at most 63 characters, as names in DNS. A release whose own name has the
chart's name in it lends it as it is.
*/}}
{{- define "${chart}.fullname" -}}
{{- $base := .Values.nameOverride | default .Chart.Name }}
{{- $joined := ternary .Release.Name (printf "%s-%s" .Release.Name $base) (contains $base .Release.Name) }}
{{- .Values.fullnameOverride | default $joined | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
The chart and its version, as a label has them.
*/}}
{{- define "${chart}.chart" -}}
{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Labels of every object.
*/}}
{{- define "${chart}.labels" -}}
helm.sh/chart: {{ include "${chart}.chart" . }}
{{ include "${chart}.selectorLabels" . }}
{{- with .Chart.AppVersion }}
app.kubernetes.io/version: {{ . | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/*
Labels that pods are selected by.
*/}}
{{- define "${chart}.selectorLabels" -}}
app.kubernetes.io/name: {{ include "${chart}.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
`;

/** CHART.serviceAccountName. */
export const accountHelperOf = (chart: string): string => `
{{/*
The service account of the pods: the chart's own, or one that is there.
*/}}
{{- define "${chart}.serviceAccountName" -}}
{{- $own := ternary (include "${chart}.fullname" .) "default" .Values.serviceAccount.create }}
{{- .Values.serviceAccount.name | default $own }}
{{- end }}
`;
