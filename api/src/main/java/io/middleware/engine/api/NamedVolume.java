package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/**
 * A volume of each pod of a group beside that of its storage, by the name that the plugin knows.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NamedVolume(
    @JsonPropertyDescription("Which of the volumes that the plugin has, for example wal.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription(
            "Size of each of these volumes in bytes with a unit, for example 10Gi. A volume that "
                + "exists may grow, but not shrink.")
        @Required
        @Pattern(SchemaPatterns.DISK_SIZE)
        @Size(min = 1, max = 20)
        String size,
    @JsonPropertyDescription(
            "StorageClass of each of these volumes, for example fast; it must allow expansion for "
                + "the size to grow. Default: the cluster's default class. Immutable once a volume "
                + "exists.")
        @Pattern(SchemaPatterns.OBJECT_NAME_OR_EMPTY)
        @Size(max = 253)
        String storageClassName) {

  /** Its size and its class. */
  @JsonIgnore
  public Storage storage() {
    return new Storage(size, storageClassName);
  }
}
