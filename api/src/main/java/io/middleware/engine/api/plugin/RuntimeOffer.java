package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;

/** A middleware that the plugin can run. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RuntimeOffer(
    @JsonPropertyDescription("Name of the middleware, for example redis.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription("Its versions, at most 64.")
        @Required
        @Size(min = 1, max = 64)
        @ListKey("version")
        List<RuntimeVersion> versions) {}
