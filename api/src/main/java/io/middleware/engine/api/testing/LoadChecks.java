package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.check.ConditionList;
import java.util.List;

/** What must hold while a load runs. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.allOf) != has(self.anyOf)",
    message = "checks have either allOf or anyOf",
    reason = "FieldValueInvalid")
public record LoadChecks(
    @JsonPropertyDescription("How often it is checked, for example 1s; at least 1s. Default: 10s.")
        @Default("10s")
        @Pattern("^[1-9][0-9]{0,5}(s|m|h)$")
        @Size(min = 2, max = 8)
        String every,
    @JsonPropertyDescription(
            "After how many failures in a row the test fails, 1 to 1000. Default: 3.")
        @Default("3")
        @Min(1)
        @Max(1000)
        Integer failureThreshold,
    @JsonPropertyDescription("All of these must hold, at most 16. Either this or anyOf.")
        @Size(min = 1, max = 16)
        List<TestCondition> allOf,
    @JsonPropertyDescription("One of these must hold, at most 16. Either this or allOf.")
        @Size(min = 1, max = 16)
        List<TestCondition> anyOf)
    implements ConditionList<TestCondition> {}
