package io.middleware.engine.planning;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.Refusal;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;

/** What the API server's refusals of a dry run mean. */
final class DryRunRefusals {
  private static final int MOST_NAMED = 5;

  private DryRunRefusals() {}

  static Refusal summary(List<Refusal> refusals) {
    var reason = refusals.getFirst().reason();
    var alike = refusals.stream().filter(one -> one.reason().equals(reason)).distinct().toList();
    var messages = alike.stream().limit(MOST_NAMED).map(Refusal::message).collect(joining("; "));
    var more =
        alike.size() > MOST_NAMED ? "; and %d more".formatted(alike.size() - MOST_NAMED) : "";
    var hint =
        Reasons.WRITE_FORBIDDEN.equals(reason)
            ? " (spec.serviceAccountName sets the account that writes)"
            : "";
    return new Refusal(reason, messages + more + hint);
  }

  /** Whether the plan before this one was accepted, dry run included. */
  static boolean wasGranted(App app) {
    return app.getStatus() != null
        && app.getStatus().conditions() != null
        && app.getStatus().conditions().stream()
            .filter(condition -> Reasons.ACCEPTED.equals(condition.getType()))
            .anyMatch(condition -> "True".equals(condition.getStatus()));
  }

  /** A field conflict is not a refusal: it may be resolved by the time the object is applied. */
  static Optional<Refusal> refusal(String name, KubernetesClientException e) {
    if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
      return Optional.empty();
    }
    var message = name + ": " + Faults.message(e);
    return switch (Faults.kindOfDryRun(e)) {
      case FORBIDDEN -> Optional.of(new Refusal(Reasons.WRITE_FORBIDDEN, message));
      case INVALID,
          CONFLICT,
          INVALID_ORDER,
          AGENT_REFUSED,
          REFUSED,
          ACTION_FAILED,
          BACKUP_FAILED,
          HOOK_FAILED,
          CHECK_FAILED,
          SUPERSEDED,
          IRREVERSIBLE,
          PAUSED,
          INTERNAL ->
          Optional.of(new Refusal(Reasons.OBJECT_REFUSED, message));
      case UNAVAILABLE, AGENTS_UNAVAILABLE ->
          throw Faults.of(FaultKind.UNAVAILABLE, "dry-run " + message);
    };
  }
}
