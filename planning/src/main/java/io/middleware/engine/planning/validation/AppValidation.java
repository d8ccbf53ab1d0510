package io.middleware.engine.planning.validation;

import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.change.ChangeSettings;
import io.middleware.engine.planning.app.DerivedValues;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.EndpointPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Validates an App before anything is written; a pure function. */
public final class AppValidation {
  private AppValidation() {}

  /**
   * The first reason to refuse the App; empty when it is valid.
   *
   * @param endpoints to which its checks may send
   */
  public static Optional<Refusal> refusal(
      DesiredApp desiredApp, ObservedApp observedApp, EndpointPolicy endpoints) {
    var runtime = new RuntimeRules(desiredApp);
    var capabilities = new CapabilityRules(desiredApp);
    var checks = new CheckProblems(desiredApp, endpoints);
    return Stream.<Supplier<Optional<Refusal>>>of(
            runtime::offer,
            () -> Refusal.of(Reasons.PLUGIN_INVALID, HookRules.problems(desiredApp.plugin())),
            () ->
                Refusal.of(Reasons.PLUGIN_INVALID, SecretValueRules.problems(desiredApp.plugin())),
            () -> Refusal.of(Reasons.PLUGIN_INVALID, NoWayBackRules.problems(desiredApp.plugin())),
            () -> Refusal.of(Reasons.PLUGIN_INVALID, ValueRules.problems(desiredApp.plugin())),
            () -> Refusal.of(Reasons.PLUGIN_INVALID, VolumeRules.problems(desiredApp.plugin())),
            () -> Refusal.of(Reasons.PLUGIN_INVALID, DerivedValues.problems(desiredApp.plugin())),
            () -> Refusal.of(Reasons.INVALID_SPEC, NameRules.problems(desiredApp)),
            () -> new NoWayBackRules(desiredApp, observedApp).refusal(),
            () -> runtime.upgradePath(observedApp),
            () -> Refusal.of(Reasons.INVALID_SPEC, spec(desiredApp, observedApp)),
            () -> ValueRules.refusal(desiredApp, observedApp),
            () -> Refusal.of(Reasons.INVALID_SPEC, checks.inApp()),
            () -> Refusal.of(Reasons.PLUGIN_INVALID, checks.inPlugin()),
            capabilities::schedule,
            capabilities::support)
        .map(Supplier::get)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static List<String> spec(DesiredApp desiredApp, ObservedApp observedApp) {
    var problems = new ArrayList<>(ComponentRules.problems(desiredApp, observedApp));
    if (desiredApp.spec().change() != null) {
      problems.addAll(durations(desiredApp.spec().change()));
    }
    return problems;
  }

  private static List<String> durations(ChangeSettings change) {
    Map<String, String> fields = new TreeMap<>();
    fields.put("spec.change.retryBackoff", change.retryBackoff());
    fields.put("spec.change.interval", change.interval());
    if (change.timeouts() != null) {
      change.timeouts().forEach((type, text) -> fields.put("spec.change.timeouts." + type, text));
    }
    return fields.entrySet().stream()
        .filter(field -> field.getValue() != null)
        .filter(field -> SpecDurations.parse(field.getValue()).isEmpty())
        .map(
            field ->
                "%s: %s is not a duration: write 500ms, 30s, 5m or 1h"
                    .formatted(field.getKey(), field.getValue()))
        .toList();
  }
}
