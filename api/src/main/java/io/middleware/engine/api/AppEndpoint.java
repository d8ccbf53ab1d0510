package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** Where applications reach a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppEndpoint(
    @JsonPropertyDescription("Its name in the Plugin, for example rw.") @Size(max = 63) String name,
    @JsonPropertyDescription("The component.") @Size(max = 63) String component,
    @JsonPropertyDescription("The group.") @Size(max = 63) String group,
    @JsonPropertyDescription(
            "The name to connect to from any namespace, for example cache-nodes-a-rw.shop.svc.")
        @Size(max = 253)
        String host,
    @JsonPropertyDescription("The port to connect to.") @Min(1) @Max(65_535) Integer port,
    @JsonPropertyDescription(
            "The pods that it leads to: Primary, the primary or none; Replica, the others; Any, all "
                + "that are ready.")
        @Size(max = 16)
        String role,
    @JsonPropertyDescription(
            "The Secret with what a client needs to connect; absent when it needs nothing.")
        @Size(max = 253)
        String secretName,
    @JsonPropertyDescription("Whether clients must use TLS. Default: false.") Boolean tls) {}
