package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.task.HookPoint;
import java.util.List;
import java.util.Optional;

/** Which actions of a component type its tasks run as steps of their own. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Hooks(
    @JsonPropertyDescription(
            "Action that runs when new groups are provisioned and ready, for example join. "
                + "Default: none.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String afterProvision,
    @JsonPropertyDescription(
            "Action that runs before a version upgrade touches the first group. Default: none.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String beforeUpgrade,
    @JsonPropertyDescription(
            "Action that runs when all groups have the new version and are ready. Default: none.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String afterUpgrade,
    @JsonPropertyDescription(
            "Action that runs when groups have got another number of pods, and are ready. "
                + "Default: none.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String afterScale,
    @JsonPropertyDescription(
            "Action that runs before groups, a component or the App are removed, on the pods that "
                + "are ready. Default: none.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String beforeRemove,
    @JsonPropertyDescription(
            "The hooks whose effects cannot be undone, for example [afterUpgrade]: once one of "
                + "them has begun, its task is not rolled back, and after an upgrade no edit goes "
                + "back to the version from before. Default: none.")
        @Size(max = 3)
        @JsonProperty("final")
        List<FinalHook> finals) {

  /** Name of the action at this point; empty when there is none. */
  public Optional<String> at(HookPoint point) {
    return Optional.ofNullable(
        switch (point) {
          case AFTER_PROVISION -> afterProvision;
          case BEFORE_UPGRADE -> beforeUpgrade;
          case AFTER_UPGRADE -> afterUpgrade;
          case AFTER_SCALE -> afterScale;
          case BEFORE_REMOVE -> beforeRemove;
        });
  }

  /** Whether there is no way back once the action at this point has begun. */
  public boolean isFinal(HookPoint point) {
    return finals != null && finals.stream().anyMatch(hook -> hook.point() == point);
  }
}
