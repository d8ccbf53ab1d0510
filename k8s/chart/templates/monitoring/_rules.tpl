{{/* An alert. Call with (dict "root" $ "name" NAME "severity" SEVERITY "for" DURATION "expr" PROMQL "summary" TEXT). */}}
{{- define "engine.alert" -}}
- alert: {{ .name }}
  expr: {{ .expr | quote }}
  for: {{ .for }}
  labels: {severity: {{ .severity }}}
  annotations:
    summary: {{ .summary | quote }}
    runbook_url: {{ printf "%s#%s" .root.Values.monitoring.rules.runbook (lower .name) | quote }}
{{- end }}

{{/* How long steps have waited for a worker, by queue: the mean of five minutes. Call with the matchers of the series. */}}
{{- define "engine.wait" -}}
sum by (task_queue) (rate(temporal_activity_schedule_to_start_latency_seconds_sum{ {{- . -}} }[5m])) / sum by (task_queue) (rate(temporal_activity_schedule_to_start_latency_seconds_count{ {{- . -}} }[5m]))
{{- end }}
