package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.Map;

/** A server that is asked over HTTP, and says itself whether the condition holds. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebhookCondition(
    @JsonPropertyDescription(
            "URL to which the question is posted, on a host of the engine's setting checks.hosts.")
        @Required
        @Pattern(SchemaPatterns.HTTP_URL)
        @Size(min = 1, max = 1024)
        String url,
    @JsonPropertyDescription(
            "Name of the server's function that answers; sent with the question. Default: none.")
        @Size(min = 1, max = 253)
        String function,
    @JsonPropertyDescription("Parameters sent with the question, at most 32. Default: none.")
        @Size(max = 32)
        Map<String, @Size(max = 1024) String> params) {}
