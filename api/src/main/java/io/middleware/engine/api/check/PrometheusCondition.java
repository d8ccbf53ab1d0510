package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** A query to Prometheus, and what its result must be. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PrometheusCondition(
    @JsonPropertyDescription(
            "URL of Prometheus without /api/v1, on a host of the engine's setting checks.hosts. "
                + "Default: the engine's setting checks.prometheusUrl.")
        @Pattern(SchemaPatterns.HTTP_URL)
        @Size(min = 1, max = 1024)
        String url,
    @JsonPropertyDescription(
            "An instant query that gives a vector or a scalar. $(namespace), $(app), $(component) and "
                + "$(group) (only with after: Group) stand for their values; in an IntegrationTest "
                + "$(namespace), $(test) and $(step), in a LoadTest $(namespace), $(test) and $(target), "
                + "the target's name.")
        @Required
        @Size(min = 1, max = 4096)
        String query,
    @JsonPropertyDescription(
            "An expression that must be true, for example \"result[0] < 1.0\". Variables: result, the "
                + "sample values as a list of doubles; and those of cel.")
        @Required
        @Size(min = 1, max = 1024)
        String cel) {}
