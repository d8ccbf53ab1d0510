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
@ValidationRule(
    value = "!has(self.beforeUpgrade) || !self.beforeUpgrade || has(self.store)",
    message = "beforeUpgrade needs a store",
    fieldPath = ".store",
    reason = "FieldValueRequired")
public record BackupSettings(
    @JsonPropertyDescription(
            "Whether backups are taken by the schedule. Default: true if backup is set.")
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
                + "take the backups. Needed for beforeUpgrade. Default: no store.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String store,
    @JsonPropertyDescription(
            "The time zone of the schedule, for example Europe/Berlin. Default: UTC.")
        @Pattern("^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$")
        @Size(min = 1, max = 64)
        String timeZone,
    @JsonPropertyDescription(
            "Time limit of each backup by the schedule or before an upgrade, for example 2h. "
                + "Default: 1h.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout,
    @JsonPropertyDescription(
            "Whether a change that upgrades the runtime or the Plugin takes a backup first; without "
                + "a good one nothing is changed. It needs a store, and agents. Also where enabled "
                + "is false. Default: false.")
        Boolean beforeUpgrade) {

  /** Without a store. */
  public BackupSettings(Boolean enabled, String schedule, Integer retention) {
    this(enabled, schedule, retention, null, null, null);
  }

  /** By the schedule only. */
  public BackupSettings(
      Boolean enabled,
      String schedule,
      Integer retention,
      String store,
      String timeZone,
      String timeout) {
    this(enabled, schedule, retention, store, timeZone, timeout, null);
  }

  /** Whether backups are taken by the schedule. */
  @JsonIgnore
  public boolean isEnabled() {
    return !Boolean.FALSE.equals(enabled);
  }

  /** Whether changes take one before an upgrade. */
  @JsonIgnore
  public boolean areTakenBeforeUpgrade() {
    return Boolean.TRUE.equals(beforeUpgrade);
  }

  /** The settings that pods can depend on, without whether changes take backups. */
  @JsonIgnore
  public BackupSettings ofPods() {
    return new BackupSettings(enabled, schedule, retention, store, timeZone, timeout);
  }

  /** Whether the engine takes them, through the agents. */
  @JsonIgnore
  public boolean isScheduled() {
    return isEnabled() && store != null && schedule != null;
  }
}
