package io.middleware.engine.api.backup;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.time.Duration;

/** What is backed up. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("What is backed up. Only cancel can be changed later.")
@ValidationRule(
    value =
        "self.app == oldSelf.app && has(self.timeout) == has(oldSelf.timeout)"
            + " && (!has(self.timeout) || self.timeout == oldSelf.timeout)",
    message = "only cancel can be changed: create another Backup instead",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!(has(oldSelf.cancel) && oldSelf.cancel) || (has(self.cancel) && self.cancel)",
    message = "a cancel cannot be taken back: create another Backup instead",
    fieldPath = ".cancel",
    reason = "FieldValueForbidden")
public record BackupSpec(
    @JsonPropertyDescription(
            "Name of the App in the same namespace, for example cache. Its spec.backup.store says "
                + "where the backup is kept.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 50)
        String app,
    @JsonPropertyDescription("Time limit of the whole backup, for example 2h. Default: 1h.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout,
    @JsonPropertyDescription("Whether to cancel it, before or after it has begun. Default: false.")
        @Default("false")
        Boolean cancel)
    implements RunRequest.Spec {
  /** Where no time limit is given. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
}
