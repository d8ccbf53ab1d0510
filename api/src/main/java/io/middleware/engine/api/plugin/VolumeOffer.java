package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** A volume that each pod of a group may have, made from the claim template of the same name. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VolumeOffer(
    @JsonPropertyDescription(
            "Name of the volume, and of the volumeClaimTemplate of the StatefulSet, for example wal.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription(
            "Whether Apps give its size in storage; that of any other is given in volumes, by its "
                + "name. At most one volume of a type. Default: false.")
        @JsonProperty("default")
        Boolean isDefault,
    @JsonPropertyDescription(
            "Whether each group must have it. Default: false, and the templates leave it out where "
                + "it is not given.")
        Boolean required) {}
