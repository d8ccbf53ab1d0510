package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;
import java.util.Map;

/** A version of a middleware. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RuntimeVersion(
    @JsonPropertyDescription("The version, in quotes, for example \"7.2\".")
        @Pattern(SchemaPatterns.VERSION)
        @Size(min = 1, max = 32)
        String version,
    @JsonPropertyDescription(
            "Images by a name that templates use, for example {redis: "
                + "\"docker.io/library/redis:7.2\"} for ${images.redis}.")
        @Size(max = 32)
        Map<String, @Size(min = 1, max = 1024) String> images,
    @JsonPropertyDescription(
            "The versions that may be upgraded to this one, for example [\"7.0\"]; one of another "
                + "runtime stands after its name: [\"redis 7.0\"]. Default: none.")
        @Size(max = 64)
        List<@Size(min = 1, max = 96) @Pattern(SchemaPatterns.RUNTIME_VERSION) String> upgradesFrom,
    @JsonPropertyDescription(
            "The versions to which a group cannot go back once a pod of it has started with this "
                + "one, for example [\"7.0\"], or [\"redis 7.0\"]: no rollback, and no edit. Default: "
                + "none.")
        @Size(max = 64)
        List<@Size(min = 1, max = 96) @Pattern(SchemaPatterns.RUNTIME_VERSION) String>
            noWayBackTo) {}
