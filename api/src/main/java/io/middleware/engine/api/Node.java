package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** A pod of a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Node(
    @JsonPropertyDescription("Name of the pod.") @Size(max = 253) String pod,
    @JsonPropertyDescription("Address of the pod.") @Size(max = 64) String ip,
    @JsonPropertyDescription(
            "Its role in the middleware, as its agent reports it, for example primary.")
        @Size(max = 63)
        String role,
    @JsonPropertyDescription("Revision of the template that it was made from.") @Size(max = 253)
        String revision,
    @JsonPropertyDescription("Whether it serves.") Boolean ready) {}
