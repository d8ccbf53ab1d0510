package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** One condition of a check. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "[has(self.cel), has(self.agent), has(self.prometheus), has(self.webhook)]"
            + ".exists_one(given, given)",
    message = "a condition has one of cel, agent, prometheus and webhook",
    reason = "FieldValueInvalid")
public record CheckCondition(
    @JsonPropertyDescription(
            "An expression that must be true, for example \"nodes.all(n, n.ready)\". Variables: "
                + "namespace, app, component, group (only with after: Group), runtime, replicas, nodes.")
        @Size(min = 1, max = 1024)
        String cel,
    @JsonPropertyDescription("A question to the agents of pods, and what they must answer.")
        AgentCondition agent,
    @JsonPropertyDescription("A query to Prometheus, and what its result must be.")
        PrometheusCondition prometheus,
    @JsonPropertyDescription("A webhook whose server says whether it holds.")
        WebhookCondition webhook) {}
