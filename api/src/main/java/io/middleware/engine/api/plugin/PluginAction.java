package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** An action that a component type offers to Operations. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "(has(self.runs) && self.runs == 'Job') == has(self.job)",
    message = "give job where runs is Job, and only there",
    fieldPath = ".job",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.job) || self.job.apiVersion == 'batch/v1' && self.job.kind == 'Job'",
    message = "an action runs as a Job of batch/v1",
    fieldPath = ".job")
@ValidationRule(
    value = "!has(self.job) || !has(self.pods) || self.pods == 'Each'",
    message = "one Job runs for each group: pods is for agents",
    fieldPath = ".pods",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.job) || !has(self.exclusive) || self.exclusive",
    message = "a Job writes objects, so it excludes changes: exclusive is for agents",
    fieldPath = ".exclusive",
    reason = "FieldValueForbidden")
public record PluginAction(
    @JsonPropertyDescription(
            "Name of the action, for example save; Operations name it in spec.action.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription("What it does, for people.") @Size(max = 1024) String description,
    @JsonPropertyDescription(
            "The parameters that an Operation may give, at most 64; effect has no meaning here. "
                + "Default: none.")
        @Size(max = 64)
        @ListKey("name")
        List<Parameter> parameters,
    @JsonPropertyDescription(
            "Who runs it: the Agent of each pod, or a Job for each group. Default: Agent.")
        @Default("Agent")
        ActionRunner runs,
    @JsonPropertyDescription(
            "The pods of each group on whose agents it runs: Each, one after the other; One, any of "
                + "them; the Primary; AnyReplica, one that is not the primary. Default: Each.")
        @Default("Each")
        ActionPods pods,
    @JsonPropertyDescription(
            "How long it may run on one pod, or in one Job, before it is terminated, for example 5m. "
                + "Default: until the time limit of its task.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout,
    @JsonPropertyDescription(
            "The Job that runs it, where runs is Job; every string may hold expressions, as in "
                + "templates. It is named by the engine.")
        @UntypedContent(UntypedContent.Form.KUBERNETES_OBJECT)
        Map<String, Object> job,
    @JsonPropertyDescription(
            "What must hold in each group that an Operation works on, at most 16; otherwise the "
                + "Operation is rejected. Default: nothing.")
        @Size(max = 16)
        List<Precondition> preconditions,
    @JsonPropertyDescription(
            "Whether it excludes changes and other Operations of the App. For an action that only "
                + "reads, set it to false: then it runs at once, beside them. All types with an "
                + "action of this name must agree. Default: true.")
        @Default("true")
        Boolean exclusive) {

  /** Fills in the default of the pods; a Job runs on none of them. */
  public PluginAction {
    pods = runs == ActionRunner.JOB ? pods : Objects.requireNonNullElse(pods, ActionPods.EACH);
  }

  /** Whether a Job runs it, and no agent. */
  @JsonIgnore
  public boolean isJob() {
    return runs == ActionRunner.JOB;
  }

  /** Whether it excludes nothing, and runs beside changes and other Operations. */
  @JsonIgnore
  public boolean isShared() {
    return Boolean.FALSE.equals(exclusive);
  }
}
