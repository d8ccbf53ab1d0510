package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Nullable;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.List;

/** Component names per scenario; an inner list is done together. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Orders(
    @JsonPropertyDescription(
            "Order when pods are made or started: component names one after the other, an "
                + "inner list together, for example [a, [b, c], d]. Components that are not named "
                + "come last, together. Default: all at once.")
        @Nullable
        @Size(max = 64)
        @UntypedContent(value = UntypedContent.Form.NAMES_OR_LISTS, max = 64)
        List<Object> provision,
    @JsonPropertyDescription("The same when pods are stopped or removed.")
        @Nullable
        @Size(max = 64)
        @UntypedContent(value = UntypedContent.Form.NAMES_OR_LISTS, max = 64)
        List<Object> stop,
    @JsonPropertyDescription("The same when configuration, resources or storage change.")
        @Nullable
        @Size(max = 64)
        @UntypedContent(value = UntypedContent.Form.NAMES_OR_LISTS, max = 64)
        List<Object> update,
    @JsonPropertyDescription("The same when the version changes.")
        @Nullable
        @Size(max = 64)
        @UntypedContent(value = UntypedContent.Form.NAMES_OR_LISTS, max = 64)
        List<Object> upgrade) {}
