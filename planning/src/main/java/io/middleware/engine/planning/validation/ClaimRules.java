package io.middleware.engine.planning.validation;

import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterEffect;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FoundClaim;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.SpecEquality;
import io.middleware.engine.planning.app.VolumeUse;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether new pods can use a volume that exists: the rules of an edit of the group that has
 * used it last. A claim that does not say what has used it is taken as it is.
 */
public record ClaimRules(DesiredApp desiredApp) {

  /** What forbids that pods of the group take the claim. */
  public Optional<String> problem(String component, String group, FoundClaim claim) {
    return claim
        .use()
        .flatMap(use -> difference(component, group, use))
        .map(
            why ->
                "its pods would use PersistentVolumeClaim %s, %s: move its data away and delete it, or choose another name or fewer replicas"
                    .formatted(claim, why));
  }

  private Optional<String> difference(String component, String group, VolumeUse use) {
    var spec = desiredApp.components().get(component);
    if (!use.plugin().name().equals(spec.plugin().name()) || !use.type().equals(spec.type())) {
      return Optional.of(
          "which is of type %s of Plugin %s and not of type %s of Plugin %s"
              .formatted(use.type(), use.plugin().name(), spec.type(), spec.plugin().name()));
    }
    if (!use.runtime().equals(spec.runtime())
        && !desiredApp.catalog().isUpgrade(use.runtime(), spec.runtime())) {
      return Optional.of(
          "from which %s %s cannot be upgraded to %s %s"
              .formatted(
                  use.runtime().name(),
                  use.runtime().version(),
                  spec.runtime().name(),
                  spec.runtime().version()));
    }
    return immutable(spec.type(), use.values(), desiredApp.config(spec, group));
  }

  private Optional<String> immutable(
      String type, Map<String, Object> used, Map<String, Object> desired) {
    return desiredApp.catalog().type(type).stream()
        .flatMap(it -> PluginCatalog.parameters(it).stream())
        .filter(parameter -> parameter.effect() == ParameterEffect.IMMUTABLE)
        .map(Parameter::name)
        .filter(used::containsKey)
        .filter(name -> !SpecEquality.same(used.get(name), desired.get(name)))
        .flatMap(
            name ->
                Stream.of(
                    "whose %s is %s and not %s".formatted(name, used.get(name), desired.get(name))))
        .findFirst();
  }
}
