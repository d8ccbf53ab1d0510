package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of a check of a task. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CheckResult(
    @JsonPropertyDescription("Name of the check.") @Size(max = 63) String name,
    @JsonPropertyDescription(
            "Name of the group within the component; absent for a check of the whole component.")
        @Size(max = 63)
        @Nullable String group,
    @JsonPropertyDescription("Whether it held; absent until it is decided.")
        @Nullable Boolean passed,
    @JsonPropertyDescription("What was found, for example \"cache-db-g-1: lag = 0\".")
        @Size(max = 1024)
        @Nullable String actual,
    @JsonPropertyDescription("Why it did not pass; absent when it did.") @Size(max = 4096)
        @Nullable String message,
    @JsonPropertyDescription("When it was decided, in RFC 3339.") @Size(max = 64)
        @Nullable String checkedAt,
    @JsonPropertyDescription("Consecutive failures of a background check; absent for other checks.")
        @Min(0)
        @Nullable Integer failures) {

  /** A check that is carried out after something. */
  public CheckResult(
      String name,
      @Nullable String group,
      @Nullable Boolean passed,
      @Nullable String actual,
      @Nullable String message,
      @Nullable String checkedAt) {
    this(name, group, passed, actual, message, checkedAt, null);
  }

  /** A check that is not decided yet. */
  public static CheckResult planned(String name) {
    return new CheckResult(name, null, null, null, null, null);
  }

  /** Whether it differs only in the time, and in what was found. */
  @JsonIgnore
  public boolean saysTheSame(CheckResult other) {
    return Objects.equals(passed, other.passed)
        && Objects.equals(message, other.message)
        && Objects.equals(failures, other.failures);
  }

  /** Whether it is about the same check of the same group. */
  @JsonIgnore
  public boolean isOfSame(CheckResult other) {
    return name.equals(other.name) && Objects.equals(group, other.group);
  }
}
