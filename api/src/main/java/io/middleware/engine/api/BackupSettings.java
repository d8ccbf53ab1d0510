package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;

/** How an App is backed up. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "(has(self.enabled) && !self.enabled) || has(self.schedule)",
    message = "backup needs a schedule, for example \"0 3 * * *\", unless enabled is false",
    fieldPath = ".schedule",
    reason = "FieldValueRequired")
public record BackupSettings(
    @JsonPropertyDescription("Whether backups are taken. Default: true if backup is set.")
        @Default("true")
        Boolean enabled,
    @JsonPropertyDescription(
            "The schedule, as five cron fields or a nickname, for example \"0 3 * * *\" or \"@daily\". "
                + "Required while enabled.")
        @Pattern(SchemaPatterns.CRON)
        @Size(min = 1, max = 64)
        String schedule,
    @JsonPropertyDescription("How many backups are kept, 1 to 1000. Default: 7.")
        @Min(1)
        @Max(1000)
        @Default("7")
        Integer retention,
    @JsonPropertyDescription(
            "Name of the BackupStore in the same namespace that the agents write to, for example "
                + "nightly. Needed while enabled, unless the Plugin has no agents: then its templates "
                + "take the backups. Default: no store.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String store,
    @JsonPropertyDescription(
            "The time zone of the schedule, for example Europe/Berlin. Default: UTC.")
        @Pattern("^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$")
        @Size(min = 1, max = 64)
        String timeZone,
    @JsonPropertyDescription("Time limit of each scheduled backup, for example 2h. Default: 1h.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout) {

  /** Without a store. */
  public BackupSettings(Boolean enabled, String schedule, Integer retention) {
    this(enabled, schedule, retention, null, null, null);
  }

  /** Whether backups are taken. */
  @JsonIgnore
  public boolean isEnabled() {
    return !Boolean.FALSE.equals(enabled);
  }

  /** Whether the engine takes them, through the agents. */
  @JsonIgnore
  public boolean isScheduled() {
    return isEnabled() && store != null && schedule != null;
  }
}
