package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** How an App is monitored. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Monitoring(
    @JsonPropertyDescription("Whether metrics are exposed. Default: true if monitoring is set.")
        @Default("true")
        Boolean enabled,
    @JsonPropertyDescription(
            "Port of each pod that offers metrics, for example 9121. Default: as the plugin "
                + "has it.")
        @Min(1)
        @Max(65535)
        Integer port,
    @JsonPropertyDescription(
            "How often metrics are read, as a number with ms, s, m or h. Default: 30s.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        @Default("30s")
        String interval) {}
