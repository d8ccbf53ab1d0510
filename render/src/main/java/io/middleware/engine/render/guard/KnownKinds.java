package io.middleware.engine.render.guard;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds that every plugin may use, and the paths of their pod templates. */
final class KnownKinds {
  static final ObjectKind STATEFUL_SET = new ObjectKind("apps/v1", "StatefulSet");
  static final ObjectKind DEPLOYMENT = new ObjectKind("apps/v1", "Deployment");
  static final ObjectKind CRON_JOB = new ObjectKind("batch/v1", "CronJob");
  static final ObjectKind SERVICE = new ObjectKind("v1", "Service");
  static final ObjectKind CLAIM = new ObjectKind("v1", "PersistentVolumeClaim");
  static final ObjectKind SECRET = new ObjectKind("v1", "Secret");
  static final ObjectKind SERVICE_ACCOUNT = new ObjectKind("v1", "ServiceAccount");

  private static final List<String> NO_PODS = List.of();
  private static final List<String> TEMPLATE = List.of("spec", "template");

  private static final Map<ObjectKind, List<String>> POD_TEMPLATES =
      Map.ofEntries(
          entry(DEPLOYMENT, TEMPLATE),
          entry(STATEFUL_SET, TEMPLATE),
          entry(new ObjectKind("batch/v1", "Job"), TEMPLATE),
          entry(CRON_JOB, List.of("spec", "jobTemplate", "spec", "template")),
          entry(SERVICE, NO_PODS),
          entry(new ObjectKind("v1", "ConfigMap"), NO_PODS),
          entry(SECRET, NO_PODS),
          entry(CLAIM, NO_PODS),
          entry(SERVICE_ACCOUNT, NO_PODS),
          entry(new ObjectKind("policy/v1", "PodDisruptionBudget"), NO_PODS),
          entry(new ObjectKind("networking.k8s.io/v1", "NetworkPolicy"), NO_PODS));

  private KnownKinds() {}

  static boolean contain(ObjectKind kind) {
    return POD_TEMPLATES.containsKey(kind);
  }

  /** The fields that lead to the pod template; empty for a kind that makes no pods. */
  static Optional<String[]> podTemplate(ObjectKind kind) {
    return Optional.ofNullable(POD_TEMPLATES.get(kind))
        .filter(fields -> !fields.isEmpty())
        .map(fields -> fields.toArray(String[]::new));
  }

  static String list() {
    return String.join(
        ", ", POD_TEMPLATES.keySet().stream().map(ObjectKind::toString).sorted().toList());
  }
}
