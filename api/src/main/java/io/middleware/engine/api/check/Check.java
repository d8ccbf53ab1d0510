package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;
import java.util.Objects;

/** What must hold after a change before the engine goes on. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.allOf) != has(self.anyOf)",
    message = "a check has either allOf or anyOf",
    reason = "FieldValueInvalid")
@ValidationRule(
    value = "!has(self.during) || !has(self.after) && !has(self.within) && !has(self.__for__)",
    message = "a check with during has no after, within or for",
    reason = "FieldValueInvalid")
@ValidationRule(
    value =
        "!has(self.before) || !has(self.after) && !has(self.during) && !has(self.within) && "
            + "!has(self.__for__) && !has(self.changeTypes)",
    message = "a check with before has no after, during, within, for or changeTypes",
    reason = "FieldValueInvalid")
@ValidationRule(
    value = "has(self.during) || !has(self.every) && !has(self.failureThreshold)",
    message = "every and failureThreshold belong to a check with during",
    reason = "FieldValueInvalid")
public record Check(
    @JsonPropertyDescription(
            "Name of the check, for example in-sync. A check of an App replaces the one of the same "
                + "name of the plugin.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription(
            "Group: on each group that a task has changed, before the next group begins. Task: once "
                + "on the component, after all its groups. Change: once on the component, after the last "
                + "task of the change. Default: Group, unless there is during.")
        CheckPoint after,
    @JsonPropertyDescription(
            "Change: in the background, again and again while the tasks of the change run, on a "
                + "component that has been deployed before. Default: not in the background.")
        CheckSpan during,
    @JsonPropertyDescription(
            "Pod: just before the engine stops a pod that is ready, to replace, rebuild or remove it, "
                + "as long as others of its group stay. Questions are put to that pod alone. The pod "
                + "is left alone until the check holds. Default: not before pods.")
        CheckGate before,
    @JsonPropertyDescription(
            "The types of change with which it is carried out, for example [VersionUpgrade]. "
                + "Default: all of VersionUpgrade, Config, Resources, Provision, Start.")
        @Size(min = 1, max = 5)
        @OneOf({"VersionUpgrade", "Config", "Resources", "Provision", "Start"})
        List<String> changeTypes,
    @JsonPropertyDescription(
            "By when it must hold, for example 60s; it is asked again until then. Default: 30s.")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String within,
    @JsonProperty("for")
        @JsonPropertyDescription(
            "How long it must keep holding, for example 10s. Default: 0s, once is enough.")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String keeps,
    @JsonPropertyDescription(
            "With during: how often it is carried out, for example 10s; at least 1s. Default: 10s.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String every,
    @JsonPropertyDescription(
            "With during: after how many failures in a row the change is stopped, 1 to 100. "
                + "Default: 3.")
        @Min(1)
        @Max(100)
        Integer failureThreshold,
    @JsonPropertyDescription("All of these must hold, at most 16. Either this or anyOf.")
        @Size(min = 1, max = 16)
        List<CheckCondition> allOf,
    @JsonPropertyDescription("One of these must hold, at most 16. Either this or allOf.")
        @Size(min = 1, max = 16)
        List<CheckCondition> anyOf)
    implements ConditionList<CheckCondition> {
  /** The types of change that replace or create pods. */
  private static final List<String> ALL_TYPES =
      List.of("VersionUpgrade", "Config", "Resources", "Provision", "Start");

  /** Whether it is repeated beside the tasks, and not carried out after them. */
  @JsonIgnore
  public boolean isInBackground() {
    return during != null;
  }

  /** Whether it must hold before a pod is stopped, and is not carried out after the tasks. */
  @JsonIgnore
  public boolean isBeforePods() {
    return before != null;
  }

  /** Whether it is carried out there. */
  public boolean isAfter(CheckPoint point) {
    return !isInBackground()
        && !isBeforePods()
        && point == Objects.requireNonNullElse(after, CheckPoint.GROUP);
  }

  /** By when it must hold. */
  public String deadline() {
    return Objects.requireNonNullElse(within, "30s");
  }

  /** How long it must keep holding. */
  public String duration() {
    return Objects.requireNonNullElse(keeps, "0s");
  }

  /** How often it is carried out in the background. */
  public String interval() {
    return Objects.requireNonNullElse(every, "10s");
  }

  /** How many failures in a row stop the change. */
  public int threshold() {
    return Objects.requireNonNullElse(failureThreshold, 3);
  }

  /** Whether it is carried out with this type of change. */
  public boolean belongsTo(String type) {
    return (changeTypes == null ? ALL_TYPES : changeTypes).contains(type);
  }
}
