{{/* Name of every resource: the release, with the chart's name where the release has another one. */}}
{{- define "meterhouse.name" -}}
{{- if contains "meterhouse" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-meterhouse" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "meterhouse.labels" -}}
app.kubernetes.io/name: meterhouse
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels of the nodes' pods. The job of a migration has another component. */}}
{{- define "meterhouse.nodes" -}}
app.kubernetes.io/name: meterhouse
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: node
{{- end }}

{{- define "meterhouse.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- define "meterhouse.cluster" -}}
{{ include "meterhouse.name" . }}-database
{{- end }}

{{- define "meterhouse.applicationSecret" -}}
{{ .Values.database.applicationSecret | default (printf "%s-application" (include "meterhouse.name" .)) }}
{{- end }}

{{/* The port of `url`, or `default` if it names none. */}}
{{- define "meterhouse.port" -}}
{{ regexFind ":[0-9]+$" (urlParse .url).host | trimPrefix ":" | default .default }}
{{- end }}

{{/* The rights of all pods: those of the standard `restricted`. */}}
{{- define "meterhouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "meterhouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Refuses values that contradict each other. */}}
{{- define "meterhouse.check" -}}
{{- if and (not .Values.tls.secretName) (not .Values.tls.insecure) }}
{{- fail "set tls.secretName to a secret with tls.crt and tls.key, or tls.insecure to true" }}
{{- end }}
{{- if and .Values.tls.secretName .Values.tls.insecure }}
{{- fail "tls.secretName and tls.insecure contradict each other: set one of them" }}
{{- end }}
{{- if and (not .Values.database.cluster.enabled) (not (and .Values.database.applicationSecret .Values.database.ownerSecret)) }}
{{- fail "without database.cluster, set database.applicationSecret and database.ownerSecret" }}
{{- end }}
{{- if and .Values.push.subject (not .Values.push.keySecretName) }}
{{- fail "push.subject needs push.keySecretName, a secret with push-key.pem" }}
{{- end }}
{{- end }}
