package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One condition of a test. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TestCondition(
    @JsonPropertyDescription(
            "An expression that must be true, for example \"object('App', 'cache').status.phase == "
                + "'Ready'\". Variables: namespace, test, round, step, objects (those that the step "
                + "applies, as they are now). Function: object(kind, name), one of the test's manifests "
                + "as it is now.")
        @Required
        @Size(min = 1, max = 1024)
        String cel) {}
