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
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Objects;

/** What is tested, and how often. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("What is tested. Only cancel can be changed later.")
@ValidationRule(
    value = "!(has(oldSelf.cancel) && oldSelf.cancel) || (has(self.cancel) && self.cancel)",
    message = "a cancel cannot be taken back: create another IntegrationTest instead",
    fieldPath = ".cancel",
    reason = "FieldValueForbidden")
@RecordBuilder
public record IntegrationTestSpec(
    @JsonPropertyDescription(
            "Sequential: a step begins when the one before has passed. Parallel: all steps begin at "
                + "once. Default: Sequential.")
        @Default("Sequential")
        TestMode mode,
    @JsonPropertyDescription("The steps of each round, 1 to 64.")
        @Required
        @Size(min = 1, max = 64)
        @ListKey("name")
        List<TestStep> steps,
    @JsonPropertyDescription("What must hold after the last round. Default: nothing.")
        @Size(max = 16)
        @ListKey("name")
        List<TestCheck> finalChecks,
    @JsonPropertyDescription("How often the steps are repeated. Default: one round.") Repeat repeat,
    @JsonPropertyDescription(
            "Service account of the namespace with whose rights the test reads, applies and deletes, "
                + "for example tester. The engine must be allowed to impersonate it.")
        @Required
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String serviceAccountName,
    @JsonPropertyDescription(
            "When the objects that the test has created are deleted: Always at its end, OnSuccess, or "
                + "Never. Objects that existed before are kept. Default: Always.")
        @Default("Always")
        CleanUp cleanUp,
    @JsonPropertyDescription(
            "When it is deleted after its end, in seconds, 0 to 31536000. Default: 604800 (a week).")
        @Min(0)
        @Max(31_536_000)
        @Default("604800")
        Integer ttlSecondsAfterFinished,
    @JsonPropertyDescription(
            "Whether to cancel it: no further step begins, and what it has created is deleted. "
                + "Default: false.")
        @Default("false")
        Boolean cancel)
    implements RunRequest.Spec, IntegrationTestSpecBuilder.With {

  /** When it cleans up. */
  public CleanUp cleaning() {
    return Objects.requireNonNullElse(cleanUp, CleanUp.ALWAYS);
  }

  /** Whether all steps begin at once. */
  @JsonIgnore
  public boolean isParallel() {
    return mode == TestMode.PARALLEL;
  }

  /** What must hold after the last round. */
  public List<TestCheck> lastChecks() {
    return finalChecks == null ? List.of() : finalChecks;
  }
}
