package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.Map;

/** Compute resources of each pod of a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Resources(
    @JsonPropertyDescription(
            "What each pod reserves, by resource: cpu in cores, memory in bytes, for "
                + "example {cpu: 500m, memory: 1Gi}. Default: nothing.")
        @Size(max = 16)
        @UntypedContent(UntypedContent.Form.QUANTITIES)
        Map<String, Object> requests,
    @JsonPropertyDescription(
            "The most that each pod may use, by resource, for example {memory: 1Gi}. "
                + "Default: no limit.")
        @Size(max = 16)
        @UntypedContent(UntypedContent.Form.QUANTITIES)
        Map<String, Object> limits) {}
