package io.middleware.engine.planning.app;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ParameterEffect;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.render.GroupConfig;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What has used a volume last; kept on its PersistentVolumeClaim, which may outlive its group.
 *
 * @param type of the component
 * @param values those that are immutable, without secrets
 * @param unusedSince when its pod was removed for good; null while the group has it
 * @param left true when that pod had left its group as a member: what it has is of no use to a pod
 *     that joins; null otherwise
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VolumeUse(
    String type,
    RuntimeRef runtime,
    PluginRef plugin,
    Map<String, Object> values,
    String unusedSince,
    Boolean left) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public VolumeUse {
    values = values == null ? Map.of() : new TreeMap<>(values);
  }

  /** The use by a group that is there. */
  public static VolumeUse of(GroupSpec group, PluginSpec plugin) {
    var config = GroupConfig.of(plugin, group).values();
    var sensitive = SensitiveParameters.of(plugin);
    var values = new TreeMap<String, Object>();
    new PluginCatalog(plugin)
        .type(group.type()).stream()
            .flatMap(type -> PluginCatalog.parameters(type).stream())
            .filter(parameter -> parameter.effect() == ParameterEffect.IMMUTABLE)
            .filter(parameter -> !sensitive.contain(parameter.name()))
            .filter(parameter -> config.containsKey(parameter.name()))
            .forEach(parameter -> values.put(parameter.name(), config.get(parameter.name())));
    return new VolumeUse(group.type(), group.runtime(), group.plugin(), values, null, null);
  }

  /** What the claim says; empty when it says nothing that can be read. */
  public static Optional<VolumeUse> of(HasMetadata claim) {
    var annotations = claim.getMetadata().getAnnotations();
    var text = annotations == null ? null : annotations.get(Labels.LAST_USE);
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(JSON.readValue(text, VolumeUse.class))
              .filter(it -> it.type() != null && it.runtime() != null && it.plugin() != null);
    } catch (JsonProcessingException e) {
      return Optional.empty(); // somebody has edited it: then nobody knows
    }
  }

  /**
   * The same when its pod is removed for good.
   *
   * @param when the first time counts
   */
  public VolumeUse unused(String when) {
    return unusedSince == null ? new VolumeUse(type, runtime, plugin, values, when, left) : this;
  }

  /** The same of a member that has left its group. */
  public VolumeUse ofMemberThatLeft() {
    return new VolumeUse(type, runtime, plugin, values, unusedSince, true);
  }

  /** Whether no pod can go on with it. */
  public boolean isOfMemberThatLeft() {
    return Boolean.TRUE.equals(left);
  }

  /** The value of the annotation. */
  public String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the use of a volume cannot be written as JSON", e);
    }
  }
}
