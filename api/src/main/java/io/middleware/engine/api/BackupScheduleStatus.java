package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** The schedule by which an App is backed up. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BackupScheduleStatus(
    @JsonPropertyDescription("The schedule, as in spec.backup.") @Size(max = 64) String schedule,
    @JsonPropertyDescription("Its time zone, as in spec.backup; absent for UTC.") @Size(max = 64)
        String timeZone,
    @JsonPropertyDescription(
            "When the schedule took effect, in RFC 3339: no earlier time counts as missed. Other "
                + "edits do not change this; a stop of the App ends it.")
        @Size(max = 64)
        String since) {}
