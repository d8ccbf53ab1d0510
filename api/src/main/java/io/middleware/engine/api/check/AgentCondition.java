package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** A question to the agents of pods, and what each of them must answer. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentCondition(
    @JsonPropertyDescription("The question, for example lag; the agent must know it.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String ask,
    @JsonPropertyDescription(
            "Which pods are asked: the Primary, or each Replica, which is any other pod. Default: all "
                + "pods.")
        CheckedRole role,
    @JsonPropertyDescription(
            "An expression that must be true for each answer, for example \"int(answer) < 1048576\". "
                + "Variables: answer, a string; node, the pod that gave it; and those of cel.")
        @Required
        @Size(min = 1, max = 1024)
        String cel) {}
