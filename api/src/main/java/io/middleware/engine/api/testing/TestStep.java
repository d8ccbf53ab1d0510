package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.List;
import java.util.Map;

/** One step of an IntegrationTest: applied, converged, ready, checked. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TestStep(
    @JsonPropertyDescription("Name of the step, for example upgrade.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription(
            "Manifests that are applied, in this order: objects, or Lists of objects, of the test's "
                + "namespace. Default: none.")
        @Size(max = 64)
        @UntypedContent(UntypedContent.Form.ANYTHING)
        List<Map<String, Object>> apply,
    @JsonPropertyDescription(
            "Objects that are deleted, after the manifests are applied. Default: none.")
        @Size(max = 64)
        List<ObjectRef> delete,
    @JsonPropertyDescription(
            "When the step is ready. Default: when what it applies has converged: observedGeneration, "
                + "where the object has one, is that of the object, and what it deletes is gone.")
        Readiness ready,
    @JsonPropertyDescription("What must hold once it is ready. Default: nothing.")
        @Size(max = 16)
        @ListKey("name")
        List<TestCheck> checks,
    @JsonPropertyDescription(
            "Name of a LoadTest in the same namespace whose load runs during the step; if that fails, "
                + "the step fails. The LoadTest must be suspended. Default: none.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String loadTest,
    @JsonPropertyDescription("Time limit of the step, for example 20m. Default: 10m.")
        @Default("10m")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout) {

  /** The manifests as they are given. */
  public List<Map<String, Object>> manifests() {
    return apply == null ? List.of() : apply;
  }

  /** What is deleted. */
  public List<ObjectRef> deleted() {
    return delete == null ? List.of() : delete;
  }

  /** What is checked. */
  public List<TestCheck> allChecks() {
    return checks == null ? List.of() : checks;
  }
}
