package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.check.ConditionList;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;
import java.util.Objects;

/** What must hold after a step, or at the end of a test. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.allOf) != has(self.anyOf)",
    message = "a check has either allOf or anyOf",
    reason = "FieldValueInvalid")
public record TestCheck(
    @JsonPropertyDescription("Name of the check, for example no-writes-lost.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription(
            "By when it must hold, for example 60s; it is asked again until then. Default: 30s.")
        @Default("30s")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String within,
    @JsonProperty("for")
        @JsonPropertyDescription(
            "How long it must keep holding, for example 10s. Default: 0s, once is enough.")
        @Default("0s")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String keeps,
    @JsonPropertyDescription("All of these must hold, at most 16. Either this or anyOf.")
        @Size(min = 1, max = 16)
        List<TestCondition> allOf,
    @JsonPropertyDescription("One of these must hold, at most 16. Either this or allOf.")
        @Size(min = 1, max = 16)
        List<TestCondition> anyOf)
    implements ConditionList<TestCondition> {

  /** By when it must hold. */
  public String deadline() {
    return Objects.requireNonNullElse(within, "30s");
  }

  /** How long it must keep holding. */
  public String duration() {
    return Objects.requireNonNullElse(keeps, "0s");
  }
}
