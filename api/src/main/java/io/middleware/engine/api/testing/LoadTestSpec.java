package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is put under load, by what, and what must hold meanwhile. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription(
    "What is put under load. Only cancel can be changed later, unless the LoadTest is suspended.")
@ValidationRule(
    value =
        "(has(oldSelf.suspend) && oldSelf.suspend)"
            + " || self.target == oldSelf.target"
            + " && self.serviceAccountName == oldSelf.serviceAccountName"
            + " && has(self.ready) == has(oldSelf.ready)"
            + " && (!has(self.ready) || self.ready == oldSelf.ready)"
            + " && has(self.duration) == has(oldSelf.duration)"
            + " && (!has(self.duration) || self.duration == oldSelf.duration)"
            + " && has(self.checks) == has(oldSelf.checks)"
            + " && (!has(self.checks) || self.checks == oldSelf.checks)"
            + " && !(has(self.suspend) && self.suspend)",
    message = "only cancel can be changed: create another LoadTest instead",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!(has(oldSelf.cancel) && oldSelf.cancel) || (has(self.cancel) && self.cancel)",
    message = "a cancel cannot be taken back: create another LoadTest instead",
    fieldPath = ".cancel",
    reason = "FieldValueForbidden")
@RecordBuilder
public record LoadTestSpec(
    @JsonPropertyDescription("The object in the same namespace that is put under load.") @Required
        LoadTarget target,
    @JsonPropertyDescription(
            "When the load begins. Variable: target. Default: when the target has converged.")
        Readiness ready,
    @JsonPropertyDescription(
            "How long the target may take to be ready, for example 5m. Default: 10m.")
        @Default("10m")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String readyTimeout,
    @JsonPropertyDescription("Values of the target that the workload's pods get. Default: none.")
        @Size(max = 16)
        @ListKey("name")
        List<Injection> inject,
    @JsonPropertyDescription(
            "Manifests of the load generators, such as Jobs with redis-benchmark or k6: objects, or "
                + "Lists of objects, of the test's namespace.")
        @Required
        @Size(min = 1, max = 16)
        @UntypedContent(UntypedContent.Form.ANYTHING)
        List<Map<String, Object>> workload,
    @JsonPropertyDescription(
            "How long the load runs at most, for example 10m. It also ends when all Jobs of the "
                + "workload have completed. Default: until then.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String duration,
    @JsonPropertyDescription("What must hold while the load runs. Default: nothing.")
        LoadChecks checks,
    @JsonPropertyDescription(
            "Service account of the namespace with whose rights the test reads, applies and deletes, "
                + "for example tester. The engine must be allowed to impersonate it.")
        @Required
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String serviceAccountName,
    @JsonPropertyDescription(
            "When the workload is deleted: Always at the end, OnSuccess, or Never. Default: Always.")
        @Default("Always")
        CleanUp cleanUp,
    @JsonPropertyDescription(
            "Whether it begins only as the load of a step of an IntegrationTest. Default: false.")
        @Default("false")
        Boolean suspend,
    @JsonPropertyDescription(
            "When it is deleted after its end, in seconds, 0 to 31536000. Default: 604800 (a week).")
        @Min(0)
        @Max(31_536_000)
        @Default("604800")
        Integer ttlSecondsAfterFinished,
    @JsonPropertyDescription(
            "Whether to cancel it: the load ends, and its workload is deleted. Default: false.")
        @Default("false")
        Boolean cancel)
    implements RunRequest.Spec, LoadTestSpecBuilder.With {

  /** When the workload is deleted. */
  public CleanUp cleaning() {
    return Objects.requireNonNullElse(cleanUp, CleanUp.ALWAYS);
  }

  /** The values that pods get. */
  public List<Injection> injections() {
    return inject == null ? List.of() : inject;
  }

  /** Whether it only describes a load. */
  @JsonIgnore
  public boolean isSuspended() {
    return Boolean.TRUE.equals(suspend);
  }
}
