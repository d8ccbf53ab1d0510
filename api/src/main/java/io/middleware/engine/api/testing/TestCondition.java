package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.check.PrometheusCondition;
import io.middleware.engine.api.check.WebhookCondition;

/** One condition of a test. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "(has(self.cel) ? 1 : 0) + (has(self.prometheus) ? 1 : 0) + (has(self.webhook) ? 1 : 0) == 1",
    message = "a condition has one of cel, prometheus and webhook",
    reason = "FieldValueInvalid")
public record TestCondition(
    @JsonPropertyDescription(
            "An expression that must be true, for example \"object('App', 'cache').status.phase == "
                + "'Ready'\". Variables: namespace, test; in an IntegrationTest also round, step and "
                + "objects (those that the step applies, as they are now); in a LoadTest also target "
                + "and objects (those of the workload). Function: object(kind, name), or object(apiVersion, "
                + "kind, name), an object of the namespace as it is now.")
        @Size(min = 1, max = 1024)
        String cel,
    @JsonPropertyDescription("A query to Prometheus, and what its result must be.")
        PrometheusCondition prometheus,
    @JsonPropertyDescription("A webhook whose server says whether it holds.")
        WebhookCondition webhook) {}
