{{- define "engine.labels" -}}
{app.kubernetes.io/name: {{ . }}, app.kubernetes.io/part-of: middleware-engine}
{{- end }}

{{- define "engine.settings" -}}
{{- with .Values.settings.worker }}
{{- if or .deployment .buildId }}
{{- fail "settings.worker.deployment and buildId are for versions side by side, and the chart has one Deployment of workers: use worker.versions, see docs/upgrade.md" }}
{{- end }}
{{- end -}}
{{- $temporal := dict "address" .Values.temporal.address "namespace" .Values.temporal.namespace -}}
{{- if .Values.temporal.tls.enabled }}{{ $temporal = dict "profile" "engine" }}{{ end -}}
{{- $settings := dict "temporal" $temporal "systemNamespace" .Release.Namespace "defaultServiceAccount" .Values.defaultServiceAccount -}}
{{- with .Values.namespaces }}{{ $_ := set $settings "namespaces" . }}{{ end -}}
{{- mergeOverwrite $settings (deepCopy .Values.settings) | toYaml -}}
{{- end }}

{{- define "engine.temporalClient" -}}
[profile.engine]
address = {{ .Values.temporal.address | quote }}
namespace = {{ .Values.temporal.namespace | quote }}
[profile.engine.tls]
{{- with .Values.temporal.tls.serverName }}
server_name = {{ . | quote }}
{{- end }}
server_ca_cert_path = "/etc/temporal/tls/ca.crt"
client_cert_path = "/etc/temporal/tls/tls.crt"
client_key_path = "/etc/temporal/tls/tls.key"
{{- end }}

{{/* What the ConfigMap holds. */}}
{{- define "engine.files" -}}
engine.yaml: |
  {{- include "engine.settings" . | nindent 2 }}
{{- if .Values.temporal.tls.enabled }}
temporal.toml: |
  {{- include "engine.temporalClient" . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The template of a process's pods. Call with (dict "root" $ "name" NAME "values" VALUES). */}}
{{- define "engine.pods" -}}
{{- $values := .root.Values -}}
{{- $image := $values.image -}}
metadata:
  labels: {{ include "engine.labels" .name }}
  annotations:
    {{- if not $values.monitoring.podMonitor.enabled }}
    prometheus.io/scrape: "true"
    prometheus.io/port: "8080"
    prometheus.io/path: /metrics
    {{- end }}
    middleware.io/settings: {{ include "engine.files" .root | sha256sum | trunc 16 | quote }}
    {{- with .values.annotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: middleware-{{ .name }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: 30
  {{- with $values.priorityClass.name }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $image.pullSecrets }}
  imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
  {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    seccompProfile: {type: RuntimeDefault}
  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "engine.labels" .name }}
  containers:
  - name: {{ .name }}
    image: {{ printf "%smiddleware-engine/%s:%s" (empty $image.registry | ternary "" (printf "%s/" (trimSuffix "/" $image.registry))) .name (default .root.Chart.AppVersion $image.tag) | quote }}
    imagePullPolicy: {{ $image.pullPolicy }}
    args: [--config, /etc/middleware-engine/engine.yaml]
    {{- if or $values.temporal.tls.enabled $values.temporal.apiKey.secretName .values.env }}
    env:
    {{- if $values.temporal.tls.enabled }}
    - {name: TEMPORAL_CONFIG_FILE, value: /etc/temporal/temporal.toml}
    {{- end }}
    {{- with $values.temporal.apiKey.secretName }}
    - name: TEMPORAL_API_KEY
      valueFrom: {secretKeyRef: {name: {{ . }}, key: {{ $values.temporal.apiKey.key }}}}
    {{- end }}
    {{- with .values.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- end }}
    ports: [{name: http, containerPort: 8080}]
    startupProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 2, failureThreshold: 60}
    livenessProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3}
    readinessProbe: {httpGet: {path: /readyz, port: http}, periodSeconds: 5, timeoutSeconds: 5}
    resources:
      {{- toYaml .values.resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: {drop: [ALL]}
    volumeMounts:
    - {name: settings, mountPath: /etc/middleware-engine, readOnly: true}
    - {name: tmp, mountPath: /tmp}
    {{- if $values.temporal.tls.enabled }}
    - {name: temporal, mountPath: /etc/temporal, readOnly: true}
    {{- end }}
  volumes:
  - {name: settings, configMap: {name: middleware-engine, items: [{key: engine.yaml, path: engine.yaml}]}}
  - {name: tmp, emptyDir: {sizeLimit: 64Mi}}
  {{- if $values.temporal.tls.enabled }}
  - name: temporal
    projected:
      sources:
      - configMap: {name: middleware-engine, items: [{key: temporal.toml, path: temporal.toml}]}
      - secret:
          name: {{ $values.temporal.tls.secretName }}
          items:
          - {key: ca.crt, path: tls/ca.crt}
          - {key: tls.crt, path: tls/tls.crt}
          - {key: tls.key, path: tls/tls.key}
  {{- end }}
{{- end }}

{{/* The Deployment of a process. Call as above. */}}
{{- define "engine.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: middleware-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{ include "engine.labels" .name }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{ include "engine.labels" .name }}
  template:
    {{- include "engine.pods" . | nindent 4 }}
{{- end }}

{{/* Rights in the namespaces that are served: one ClusterRole, or a Role in each. Call with (dict "root" $ "name" NAME "rules" YAML). */}}
{{- define "engine.served" -}}
{{- $root := .root -}}{{- $name := .name -}}{{- $rules := .rules -}}
{{- range (empty $root.Values.namespaces | ternary (list "") $root.Values.namespaces) }}
{{- $scope := empty . | ternary "Cluster" "" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $scope }}Role
metadata: {name: middleware-{{ $name }}{{ with . }}, namespace: {{ . }}{{ end }}}
rules:
{{ $rules }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $scope }}RoleBinding
metadata: {name: middleware-{{ $name }}{{ with . }}, namespace: {{ . }}{{ end }}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: {{ $scope }}Role, name: middleware-{{ $name }}}
subjects: [{kind: ServiceAccount, name: middleware-{{ $name }}, namespace: {{ $root.Release.Namespace }}}]
{{- end }}
{{- end }}
