package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.check.ConditionList;
import java.util.List;

/** When what a test works with is ready. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.allOf) != has(self.anyOf)",
    message = "ready has either allOf or anyOf",
    reason = "FieldValueInvalid")
public record Readiness(
    @JsonPropertyDescription("All of these must hold, at most 16. Either this or anyOf.")
        @Size(min = 1, max = 16)
        List<TestCondition> allOf,
    @JsonPropertyDescription("One of these must hold, at most 16. Either this or allOf.")
        @Size(min = 1, max = 16)
        List<TestCondition> anyOf)
    implements ConditionList<TestCondition> {}
