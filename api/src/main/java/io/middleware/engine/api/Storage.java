package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** The volume of each pod of a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Storage(
    @JsonPropertyDescription(
            "Size of each volume in bytes with a unit, for example 50Gi. A volume that "
                + "exists may grow, but not shrink.")
        @Required
        @Pattern(SchemaPatterns.DISK_SIZE)
        @Size(min = 1, max = 20)
        String size,
    @JsonPropertyDescription(
            "StorageClass of each volume, for example fast; it must allow expansion for the "
                + "size to grow. Default: the cluster's default class. Immutable "
                + "once a volume exists.")
        @Pattern(SchemaPatterns.OBJECT_NAME_OR_EMPTY)
        @Size(max = 253)
        String storageClassName) {}
