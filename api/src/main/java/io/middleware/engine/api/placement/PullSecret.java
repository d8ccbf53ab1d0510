package io.middleware.engine.api.placement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** A Secret of the App's namespace with which images are pulled. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PullSecret(
    @JsonPropertyDescription("Name of the Secret, for example registry.")
        @Required
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String name) {}
