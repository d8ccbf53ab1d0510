package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** The last good backup of an App. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LastBackup(
    @JsonPropertyDescription("Name of the Backup.") @Size(max = 253) String name,
    @JsonPropertyDescription("When it began, in RFC 3339: it has the data of that time.")
        @Size(max = 64)
        String startedAt,
    @JsonPropertyDescription("When it was complete, in RFC 3339.") @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("Its size, for people, for example 1.2 GiB.") @Size(max = 32)
        String size) {}
