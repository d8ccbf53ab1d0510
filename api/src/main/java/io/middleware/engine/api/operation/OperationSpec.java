package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.task.OperationAction;
import java.util.Map;

/** What is to be done once. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("What is to be done once. Only cancel can be changed later.")
@ValidationRule(
    value =
        "self.app == oldSelf.app && self.action == oldSelf.action"
            + " && has(self.target) == has(oldSelf.target)"
            + " && (!has(self.target) || self.target == oldSelf.target)"
            + " && has(self.parameters) == has(oldSelf.parameters)"
            + " && (!has(self.parameters) || self.parameters == oldSelf.parameters)"
            + " && has(self.killTimeout) == has(oldSelf.killTimeout)"
            + " && (!has(self.killTimeout) || self.killTimeout == oldSelf.killTimeout)"
            + " && has(self.grace) == has(oldSelf.grace)"
            + " && (!has(self.grace) || self.grace == oldSelf.grace)"
            + " && has(self.timeout) == has(oldSelf.timeout)"
            + " && (!has(self.timeout) || self.timeout == oldSelf.timeout)"
            + " && has(self.maxRetries) == has(oldSelf.maxRetries)"
            + " && (!has(self.maxRetries) || self.maxRetries == oldSelf.maxRetries)"
            + " && has(self.notBefore) == has(oldSelf.notBefore)"
            + " && (!has(self.notBefore) || self.notBefore == oldSelf.notBefore)"
            + " && self.ttlSecondsAfterFinished == oldSelf.ttlSecondsAfterFinished",
    message = "only cancel can be changed: create another Operation instead",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.notBefore) || timestamp(self.notBefore) > timestamp('0001-01-01T00:00:00Z')",
    message = "notBefore is a time in RFC 3339, for example 2026-12-01T02:00:00Z",
    fieldPath = ".notBefore")
@ValidationRule(
    value = "!(has(oldSelf.cancel) && oldSelf.cancel) || (has(self.cancel) && self.cancel)",
    message = "a cancel cannot be taken back: create another Operation instead",
    fieldPath = ".cancel",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "has(self.target) || !(self.action in ['Switchover', 'Rebuild'])",
    message = "name the component that is worked on",
    fieldPath = ".target",
    reason = "FieldValueRequired")
@ValidationRule(
    value =
        "!has(self.target) || !has(self.target.pods) || size(self.target.pods) == 0"
            + " || self.action == 'Switchover' && size(self.target.pods) == 1"
            + " || self.action == 'Rebuild'",
    message = "only Rebuild takes pods, and Switchover one: the next primary",
    fieldPath = ".target.pods")
@ValidationRule(
    value =
        "self.action != 'Rebuild' || !has(self.target)"
            + " || has(self.target.pods) && size(self.target.pods) > 0",
    message = "name the replicas to rebuild",
    fieldPath = ".target.pods",
    reason = "FieldValueRequired")
@ValidationRule(
    value =
        "!has(self.target) || !has(self.target.role) && !has(self.target.count)"
            + " || !(self.action in ['Restart', 'Reapply', 'Switchover', 'Rebuild', 'RotateSecrets'])",
    message = "only actions of the Plugin take role and count",
    fieldPath = ".target")
@ValidationRule(
    value =
        "self.action != 'RotateSecrets' || !has(self.target)"
            + " || !has(self.target.groups) || size(self.target.groups) == 0",
    message = "RotateSecrets works on all groups of a component",
    fieldPath = ".target.groups")
@ValidationRule(
    value = "!has(self.grace) || self.action == 'RotateSecrets'",
    message = "only RotateSecrets takes a grace",
    fieldPath = ".grace",
    reason = "FieldValueForbidden")
public record OperationSpec(
    @JsonPropertyDescription("Name of the App in the same namespace, for example cache.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 50)
        String app,
    @JsonPropertyDescription(
            "Restart replaces every pod in the agents' order, the primary last. Reapply applies "
                + "every object again and replaces the pods that are out of date. Switchover moves "
                + "the primary of each group to another pod. Rebuild deletes the named replicas "
                + "with their volumes; the new ones copy their data again. RotateSecrets changes "
                + "the passwords that were generated, and takes the earlier ones away. Any other name, in "
                + "lower case, is an action that the Plugin "
                + "offers.")
        @Required
        @Pattern(
            "^(Restart|Reapply|Switchover|Rebuild|RotateSecrets|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$")
        @Size(min = 1, max = 63)
        @JsonProperty("action")
        String actionName,
    @JsonPropertyDescription(
            "What it works on. Default: all components; for an action of the Plugin, those that have "
                + "it. Switchover and Rebuild need it.")
        OperationTarget target,
    @JsonPropertyDescription(
            "The parameters of an action of the Plugin, as text, for example {db: \"0\"}. Default: "
                + "the defaults of the Plugin.")
        @Size(max = 64)
        Map<String, @Size(max = 4096) String> parameters,
    @JsonPropertyDescription(
            "Time limit of each of its tasks, all attempts together, for example 10m. Default: as for "
                + "a change of type Config.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout,
    @JsonPropertyDescription(
            "How long an action of the Plugin may take to end after it is terminated, before it is "
                + "killed, for example 5s. Default: 30s.")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String killTimeout,
    @JsonPropertyDescription(
            "How long RotateSecrets lets both passwords work, from the publication of the new one "
                + "on, for example 1h. Clients take the new one up meanwhile. Its tasks may take that much "
                + "longer than timeout. Default: 10m.")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String grace,
    @JsonPropertyDescription(
            "How many times each task is attempted, 1 to 100. Default: as for a change of type Config.")
        @Min(1)
        @Max(100)
        Integer maxRetries,
    @JsonPropertyDescription(
            "When it may begin, in RFC 3339, for example 2026-12-01T02:00:00Z. Default: at once.")
        @Pattern(SchemaPatterns.TIME)
        @Size(max = 32)
        String notBefore,
    @JsonPropertyDescription(
            "When it is deleted after its end, in seconds, 0 to 31536000. Default: 604800 (a week).")
        @Min(0)
        @Max(31_536_000)
        @Default("604800")
        Integer ttlSecondsAfterFinished,
    @JsonPropertyDescription(
            "Whether to cancel it: it never begins, or touches no further pod. Nothing is undone, "
                + "and a pod that is being replaced comes back. Default: false.")
        @Default("false")
        Boolean cancel)
    implements RunRequest.Spec {

  /** One of the actions that every App has. */
  public OperationSpec(
      String app,
      OperationAction action,
      OperationTarget target,
      String timeout,
      Integer maxRetries,
      String notBefore,
      Integer ttlSecondsAfterFinished,
      Boolean cancel) {
    this(
        app,
        action.label(),
        target,
        null,
        timeout,
        null,
        null,
        maxRetries,
        notBefore,
        ttlSecondsAfterFinished,
        cancel);
  }

  /** What it does; {@link #actionName} says which action of the Plugin. */
  public OperationAction action() {
    return OperationAction.of(actionName);
  }
}
